// `writ explain`: what would become of a call, by the same rules. Nothing is sent but a request for
// the connector's tool list; no store is opened, so a node may run beside it.
#include "router/flow/explain.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <future>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bot/adapters.h"
#include "bot/client/table.h"
#include "bot/commands.h"
#include "bot/load.h"
#include "bot/process/system_clock.h"
#include "bot/routes/explanation.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"

namespace writ::bot {
namespace {

using router::Explanation;

constexpr std::chrono::seconds kLongestWait{30};

// What a shelf would log, the explanation says.
class NoLog final : public router::Log {
 public:
  void Write(Level, std::string_view, std::initializer_list<Field>) override {}
};

class AtOnce final : public router::Jobs {
 public:
  void Run(std::function<void()> job) override { job(); }
  bool Offer(std::function<void()> job) override {
    job();
    return true;
  }
};

std::optional<Explanation> Ask(const Config& config, const router::CallInQuestion& call) {
  const connectors::CurlEnvironment curl;
  const SystemClock clock;
  NoLog log;
  AtOnce jobs;
  // Shared with the callback, which may come late.
  const auto promise = std::make_shared<std::promise<Explanation>>();
  std::future<Explanation> explained = promise->get_future();
  // Dies first: what is still out is called back while the adapters are there.
  std::optional<connectors::CurlLoop> http(std::in_place, curl);
  const Adapters adapters = MakeAdapters(config, {*http, *http, *http}, clock, log);
  const router::Directory directory(adapters.apps);
  router::Shelves shelves(jobs, log);
  router::Explain(directory, shelves).Run(call, {}, [promise](Explanation told) {
    promise->set_value(std::move(told));
  });
  const bool in_time = explained.wait_for(kLongestWait) == std::future_status::ready;
  adapters.CloseSessions();
  http.reset();
  if (!in_time) return std::nullopt;
  return explained.get();
}

std::string Words(const std::string& text) { return SafeCell(text, 1000); }

void Line(std::string& text, const char* name, const std::string& value) {
  if (!value.empty()) text += std::string(name) + ": " + Words(value) + '\n';
}

std::string TextOf(const Explanation& told, bool assumes_owner) {
  std::string text = std::string(NameOf(told.outcome)) + ": " + Words(told.why) + '\n';
  if (told.outcome == Explanation::Outcome::kHeld) {
    Line(text, "asked",
         told.asked.kind == router::Asked::Kind::kUser ? told.asked.user.text() : "(the backend)");
  }
  Line(text, "told to the model", told.status);
  if (told.reason != told.why) Line(text, "reason", told.reason);
  Line(text, "hint", told.hint);
  Line(text, "rule", told.rule);
  Line(text, "who is asked by", told.who_rule);
  Line(text, "answered by", told.channel_rule);
  if (assumes_owner) {
    text += "assumed: the writer owns the conversation's session, and it is not shared\n";
  }
  return text;
}

// No store is asked: in a conversation of one's own the writer is taken for its owner.
bool AssumesOwner(const Config& config, const router::CallInQuestion& call) {
  for (const AppConfig& app : config.apps) {
    if (app.id != call.app) continue;
    for (const AgentConfig& agent : app.agents) {
      for (const std::string& type : agent.agent_channels) {
        if (type == router::ChannelType(call.cid)) return !call.writer.empty();
      }
    }
  }
  return false;
}

}  // namespace

int ExplainCall(const ExplainArguments& arguments) {
  const auto config = LoadOrTell(arguments.config);
  if (!config) return kWrongUsage;
  router::CallInQuestion call{router::AppId(arguments.app),
                              router::Cid(arguments.cid),
                              router::UserId(arguments.writer),
                              arguments.tool,
                              arguments.arguments,
                              std::nullopt};
  bool known = false;
  for (const AppConfig& app : config->apps) known = known || app.id == call.app;
  if (!known) {
    std::fprintf(stderr, "writ: the configuration has no app of that id\n");
    return kWrongUsage;
  }
  const bool assumes_owner = AssumesOwner(*config, call);
  if (assumes_owner) {
    call.session.emplace();
    call.session->owner = call.writer;
  }
  try {
    const auto told = Ask(*config, call);
    if (!told) {
      std::fprintf(stderr, "writ: the connector did not list its tools\n");
      return kFailedWhileRunning;
    }
    const std::string text =
        arguments.json ? ExplanationJson(*told).Dump() + '\n' : TextOf(*told, assumes_owner);
    std::fputs(text.c_str(), stdout);
    return told->outcome == Explanation::Outcome::kFailed ? kFailedWhileRunning : kDone;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "writ: %s\n", fault.what());
    return kFailedWhileRunning;
  }
}

}  // namespace writ::bot
