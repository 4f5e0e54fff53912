#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "connectors/tool/mcp/stdio/command.h"
#include "connectors/tool/mcp/stdio/line_reader.h"
#include "connectors/tool/mcp/stdio/pipe_loop.h"
#include "connectors/tool/mcp/stdio/spawn.h"

namespace writ::connectors {

// A running program with its three pipes, until it has ended and was waited for. All of it belongs
// to the loop's thread; it lives until on_end was called.
class StdioProcess : public std::enable_shared_from_this<StdioProcess> {
 public:
  using Ticket = std::uint64_t;

  struct Events {
    std::function<void(std::string_view)> on_line;        // of its standard output
    std::function<void(std::string_view)> on_error_line;  // of its standard error
    std::function<void()> on_too_long;                    // a line was passed over
    // Once, after the last line; `how` is for the log. Nothing is called after it.
    std::function<void(const std::string& how)> on_end;
  };

  // How long an end may take: after the input was closed, and after SIGTERM. Then comes SIGKILL.
  static constexpr std::chrono::milliseconds kGrace{2000};
  static constexpr std::size_t kMostWaiting = std::size_t{64} << 20;  // bytes not yet taken by it

  // Otherwise: why it could not be started.
  [[nodiscard]] static std::variant<std::shared_ptr<StdioProcess>, std::string> Start(
      PipeLoop& loop, const StdioCommand& command, std::size_t longest_line, Events events);

  StdioProcess(PipeLoop& loop, Spawned spawned, std::size_t longest_line, Events events);

  // Whether it takes lines; not after End(), nor where too much waits already.
  [[nodiscard]] bool Takes(const std::string& line) const;
  // The line is written when the pipe has room; a line break is added.
  Ticket Write(std::string line);
  // Whether a byte of it has left.
  [[nodiscard]] bool HasBegun(Ticket ticket) const;
  // Takes it back; false where it has begun.
  bool TakeBack(Ticket ticket);

  // Closes its input, then asks it to end, then ends it. Again: nothing.
  void End();
  [[nodiscard]] bool ending() const { return ending_; }

 private:
  struct Line {
    Ticket ticket;
    std::string text;
    std::size_t sent = 0;
  };

  void Watch();
  void WatchInput();
  void Flush();
  void Read(UniqueFd& from, LineReader& into);
  void Signal(int signal, std::chrono::milliseconds then_within, std::function<void()> then);
  void Reap();
  void Finish(const std::string& how);

  PipeLoop& loop_;
  Spawned process_;
  Events events_;
  LineReader out_;
  LineReader err_;
  std::deque<Line> waiting_;
  std::size_t waiting_bytes_ = 0;
  Ticket last_ticket_ = 0;
  bool ending_ = false;
  TimerQueue::Id timer_ = 0;
};

}  // namespace writ::connectors
