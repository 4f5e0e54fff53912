// `writ forget`: a user's data is removed, over the HTTP API of a running node.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "bot/client/access.h"
#include "bot/client/table.h"
#include "bot/client/writ_api.h"
#include "bot/commands.h"
#include "bot/process/system_clock.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "connectors/http/percent.h"
#include "router/base/json.h"

namespace writ::bot {
namespace {

using connectors::PercentEncode;
using router::Json;

constexpr std::chrono::milliseconds kLookAgain{500};
constexpr std::size_t kLongestLine = 500;       // in a terminal
constexpr const char* kFromSessions = "open:";  // what a walk after the first begins at

class Command {
 public:
  Command(const ForgetArguments& arguments, const Access& access)
      : arguments_(arguments), access_(access), http_(environment_), api_(http_, access.url()) {}

  int Run();

 private:
  // Through all there is; false after stderr was told.
  [[nodiscard]] bool Walk(std::string from);
  void Print() const;

  const ForgetArguments& arguments_;
  const Access& access_;
  const SystemClock clock_;
  const connectors::CurlEnvironment environment_;
  connectors::CurlLoop http_;
  WritApi api_;
  std::map<std::string, std::int64_t> removed_;
  std::int64_t waiting_ = 0;       // of the last walk
  std::int64_t sealed_texts_ = 0;  // the same
};

bool Command::Walk(std::string from) {
  waiting_ = 0;
  sealed_texts_ = 0;
  const std::string target = "/v1/users/" + PercentEncode(arguments_.user) + "/forget";
  while (true) {
    const WritAnswer answer =
        api_.Post(from.empty() ? target : target + "?from=" + PercentEncode(from),
                  access_.Headers(clock_.Now()), "");
    const router::JsonParsed parsed = router::ParseJson(answer.body);
    const Json* removed = parsed.value ? parsed.value->Find("removed") : nullptr;
    if (answer.status != 200 || removed == nullptr || !removed->IsObject()) {
      const std::string why =
          answer.status == 0 ? answer.body
          : parsed.value     ? parsed.value->TextAt("code") + ": " + parsed.value->TextAt("detail")
                             : "status " + std::to_string(answer.status);
      std::fprintf(stderr, "writ: %s: %s\n", access_.url().c_str(),
                   SafeCell(why, kLongestLine).c_str());
      return false;
    }
    for (const router::JsonMember& member : removed->object()) {
      removed_[member.key] += member.value.ToInt().value_or(0);
    }
    waiting_ += parsed.value->IntAt("waiting").value_or(0);
    sealed_texts_ += parsed.value->IntAt("sealed_texts").value_or(0);
    from = parsed.value->TextAt("next");
    if (from.empty()) return true;
  }
}

void Command::Print() const {
  if (arguments_.json) {
    Json all = Json::MakeObject();
    for (const auto& [what, count] : removed_) all.Set(what, count);
    std::printf("%s\n", Json::MakeObject({{"removed", std::move(all)},
                                          {"waiting", waiting_},
                                          {"sealed_texts", sealed_texts_}})
                            .Dump()
                            .c_str());
    return;
  }
  for (const auto& [what, count] : removed_) {
    std::printf("%s: %lld removed\n", SafeCell(what, kLongestLine).c_str(),
                static_cast<long long>(count));
  }
  if (sealed_texts_ > 0) {
    std::printf(
        "the decision log has %lld entries that an older program sealed with their words: "
        "they stay until audit.retention_days is over\n",
        static_cast<long long>(sealed_texts_));
  }
}

int Command::Run() {
  const auto deadline = clock_.Steady() + std::chrono::seconds(arguments_.wait_s);
  if (!Walk("")) return kFailedWhileRunning;
  while (waiting_ > 0 && clock_.Steady() < deadline) {
    std::this_thread::sleep_for(kLookAgain);
    if (!Walk(kFromSessions)) return kFailedWhileRunning;
  }
  Print();
  if (waiting_ == 0) return kDone;
  std::fprintf(stderr,
               "writ: the ends of %lld commands are still to be shown in their channels: run it "
               "again\n",
               static_cast<long long>(waiting_));
  return kFailedWhileRunning;
}

}  // namespace

int Forget(const ForgetArguments& arguments) {
  const auto access = Access::Of(arguments.access);
  if (!access) return kWrongUsage;
  if (arguments.user.empty()) {
    std::fprintf(stderr, "writ: --user is empty: that is nobody\n");
    return kWrongUsage;
  }
  try {
    return Command(arguments, *access).Run();
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "writ: %s\n", fault.what());
    return kFailedWhileRunning;
  }
}

}  // namespace writ::bot
