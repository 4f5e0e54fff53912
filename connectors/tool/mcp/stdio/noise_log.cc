#include "connectors/tool/mcp/stdio/error_log.h"

#include <chrono>
#include <cstddef>
#include <utility>

#include "router/base/text.h"

namespace writ::connectors {
namespace {

constexpr std::size_t kMostCharacters = 1000;

}  // namespace

void ErrorLog::Take(std::string_view line, router::SteadyPoint now) {
  if (now - second_ >= std::chrono::seconds(1)) {
    TellLeftOut();
    second_ = now;
    taken_ = 0;
  }
  if (++taken_ > kLinesASecond) {
    ++left_out_;
    return;
  }
  std::string text = "(left out: it repeats the arguments of a call)";
  if (!sent_.AreIn(line)) {
    const std::string whole = router::ToUtf8(line);
    text = router::ShowInvisible(router::FirstCharacters(whole, kMostCharacters));
  }
  log_.Info("mcp_stderr", {{"connector", connector_}, {"line", std::move(text)}});
}

void ErrorLog::TellLeftOut() {
  if (left_out_ == 0) return;
  log_.Info("mcp_stderr_left_out",
            {{"connector", connector_}, {"lines", std::to_string(std::exchange(left_out_, 0))}});
}

}  // namespace writ::connectors
