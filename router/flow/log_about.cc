#include "router/flow/log_about.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "router/base/trace.h"

namespace writ::router {

LineIds IdsOf(const Turn& turn) {
  return {.app = turn.app.text(),
          .agent = turn.agent.text(),
          .cid = turn.cid.text(),
          .command = turn.id.text(),
          .trace = TraceIdOf(turn.trace)};
}

LineIds IdsOf(const Turn& turn, const Call& call) {
  LineIds ids = IdsOf(turn);
  ids.call = call.id.text();
  // What the model made up is no tool's name, and may be anything.
  if (!call.connector.empty()) ids.tool = call.name;
  return ids;
}

LineIds IdsOf(const ChannelEvent& event) {
  return {.app = event.app.text(),
          .cid = event.cid.text(),
          .message = event.message.text(),
          .trace = TraceIdOf(event.trace)};
}

void LogAbout::Write(Level level, std::string_view event, std::initializer_list<Field> fields) {
  if (fields.size() > kMostFields) throw std::logic_error("a log line of too many fields");
  std::array<Field, kMostFields> more{};  // a field without a value is left out
  std::ranges::copy_n(fields.begin(), std::ssize(fields), more.begin());
  log_.Write(level, event,
             {{"app_id", ids_.app},
              {"agent_id", ids_.agent},
              {"cid", ids_.cid},
              {"message_id", ids_.message},
              {"command_id", ids_.command},
              {"call_id", ids_.call},
              {"tool", ids_.tool},
              more[0],
              more[1],
              more[2],
              more[3],
              more[4],
              more[5],
              {"trace_id", ids_.trace}});
}

}  // namespace writ::router
