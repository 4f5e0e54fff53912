#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace writ::bot {

// What this node has counted and timed since it started. Shared by all threads; cheap enough for
// every request. Labels must come from the configuration or from a fixed set, so that their number
// has a bound.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // An event that a platform told: `stored`, `ignored` (stored as seen), `duplicate`, `too_old`,
  // `unavailable` (the store did not take it).
  void EventTaken(const std::string& app, std::string_view outcome);
  // What was refused, for the node has too much to do: an event, a command or a session by `line`,
  // `store_slow`, `store_full`, `behind`; anything by `memory`, `streams`, `answers`.
  void Shed(std::string_view why);
  // A request to our HTTP API; `route` is the pattern, never the path.
  void Answered(std::string_view method, std::string_view route, int status,
                std::chrono::duration<double> took);

  void TurnEnded(const std::string& app, const std::string& agent, std::string_view state,
                 std::chrono::duration<double> since_opened);
  // A turn got its channel's lease.
  void LeaseGranted(const std::string& app, const std::string& agent,
                    std::chrono::duration<double> waited);
  void LeasePassedOn(const std::string& app);
  // A call of an ended turn, by what became of it.
  void CallEnded(const std::string& app, const std::string& connector, std::string_view outcome);
  void CallHeld(const std::string& app, const std::string& connector);
  void Asked(const std::string& app);
  // `by`: `user`, `backend` or `callback`.
  void Decided(const std::string& app, std::string_view by, bool approved,
               std::chrono::duration<double> waited);

  // Words for a channel that its platform would not take.
  void PostGivenUp(const std::string& app);

  void ModelAsked(const std::string& app, const std::string& agent, std::string_view outcome,
                  std::chrono::duration<double> took);
  void TokensUsed(const std::string& app, const std::string& agent, std::string_view direction,
                  double tokens);
  void ConnectorCalled(const std::string& app, const std::string& connector,
                       std::string_view outcome, std::chrono::duration<double> took);

  // A commit: `done`, `refused` (by what it was to write), `failed` (the store did not take it).
  void CommitTook(std::string_view outcome, std::chrono::duration<double> took);
  // How many commits went to the disk together.
  void CommittedTogether(std::size_t commits);

  // A figure that is looked at when somebody asks. Before the first Text(); `read` must not block.
  void Watch(const std::string& name, const std::string& help, std::function<double()> read);

  // All of it in Prometheus' text format, version 0.0.4.
  [[nodiscard]] std::string Text();

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

// The content type of Text().
inline constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace writ::bot
