#include "connectors/tool/mcp/stdio/noise_log.h"

#include <chrono>
#include <utility>

#include "router/base/text.h"

namespace writ::connectors {
namespace {

constexpr std::size_t kMostCharacters = 1000;

}  // namespace

void NoiseLog::TakeError(std::string_view line, router::SteadyPoint now) {
  if (!HasRoom(errors_, now)) return;
  std::string text = "(left out: it repeats what the program was given)";
  if (!sent_.AreIn(line)) {
    const std::string whole = router::ToUtf8(line);
    text = router::ShowInvisible(router::FirstCharacters(whole, kMostCharacters));
  }
  log_.Info("mcp.stderr", {{"connector", connector_}, {"line", std::move(text)}});
}

void NoiseLog::TakeNoMessage(std::size_t bytes, router::SteadyPoint now) {
  if (!HasRoom(no_messages_, now)) return;
  log_.Warn("mcp.no_message", {{"connector", connector_}, {"bytes", std::to_string(bytes)}});
}

void NoiseLog::TakeOneTooMany(router::SteadyPoint now) {
  if (HasRoom(too_many_, now)) log_.Warn("mcp.message_passed_over", {{"connector", connector_}});
}

bool NoiseLog::HasRoom(Taken& taken, router::SteadyPoint now) {
  if (now - taken.second >= std::chrono::seconds(1)) {
    TellLeftOut();
    taken = {now, 0};
  }
  const bool has_room = ++taken.lines <= kLinesASecond;
  if (!has_room) ++left_out_;
  return has_room;
}

void NoiseLog::TellLeftOut() {
  if (left_out_ == 0) return;
  log_.Info("mcp.lines_left_out",
            {{"connector", connector_}, {"lines", std::to_string(std::exchange(left_out_, 0))}});
}

}  // namespace writ::connectors
