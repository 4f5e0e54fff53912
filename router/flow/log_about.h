#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "router/base/log.h"
#include "router/chat/event.h"
#include "router/turn/turn.h"

namespace writ::router {

// The ids that a log line names, so that one finds all lines of a command or a call. What is empty
// is not known, or does not apply.
struct LineIds {
  std::string app = {};
  std::string agent = {};
  std::string cid = {};
  std::string message = {};
  std::string command = {};
  std::string call = {};
  std::string tool = {};
  std::string trace = {};  // the trace's own
};

[[nodiscard]] LineIds IdsOf(const Turn& turn);
[[nodiscard]] LineIds IdsOf(const Turn& turn, const Call& call);
[[nodiscard]] LineIds IdsOf(const ChannelEvent& event);

// A log whose lines all name these ids, before what is said of them. For a line or two:
// `LogAbout(log, turn).Warn("model.failed", {{"why", why}})`.
class LogAbout final : public Log {
 public:
  static constexpr std::size_t kMostFields = 6;  // of a line, beside the ids

  LogAbout(Log& log, LineIds ids) : log_(log), ids_(std::move(ids)) {}
  LogAbout(Log& log, const Turn& turn) : LogAbout(log, IdsOf(turn)) {}
  LogAbout(Log& log, const Turn& turn, const Call& call) : LogAbout(log, IdsOf(turn, call)) {}
  LogAbout(Log& log, const ChannelEvent& event) : LogAbout(log, IdsOf(event)) {}

  void Write(Level level, std::string_view event, std::initializer_list<Field> fields) override;

 private:
  Log& log_;
  const LineIds ids_;
};

}  // namespace writ::router
