#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace writ::connectors {

// Which transfers may run, host by host, so that a slow model's never stand before a tool's. What
// may not start waits in order of coming, up to a bound.
class HostSlots {
 public:
  using TransferId = std::uint64_t;  // ascending in order of coming

  struct Limits {
    std::size_t in_flight = 512;
    // Of these, not yet connected. The resolver has a thread for each lookup, and a burst of
    // handshakes helps nobody.
    std::size_t connecting = 64;
    // More than messages may come at once: whoever is turned away does without what it asked for.
    std::size_t waiting = 16384;
  };

  explicit HostSlots(Limits limits) : limits_(limits) {}

  // false where the host's queue is full; then nothing changed.
  [[nodiscard]] bool Admit(const std::string& host, TransferId id);

  // A started transfer has its connection.
  void Connected(const std::string& host);

  // A transfer has ended or gave up waiting. connected: whether Connected was called for it.
  void Ended(const std::string& host, TransferId id, bool connected);

  // Those that may start now, each once. One that ended meanwhile may be among them.
  [[nodiscard]] std::vector<TransferId> TakeStartable();

  // Those that wait, of all hosts. From any thread; nothing else is.
  [[nodiscard]] std::size_t CountWaiting() const { return waiting_; }

 private:
  struct Host {
    std::size_t in_flight = 0;
    std::size_t connecting = 0;
    std::set<TransferId> waiting;
  };

  void StartWhatFits(Host& host);

  Limits limits_;
  std::unordered_map<std::string, Host> hosts_;  // those with a transfer
  std::vector<TransferId> startable_;
  std::atomic<std::size_t> waiting_{0};
};

}  // namespace writ::connectors
