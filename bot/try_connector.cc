// `writ try-connector`: a connector's tools, and calls of them, from the operator's own terminal.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bot/adapters.h"
#include "bot/commands.h"
#include "bot/load.h"
#include "bot/process/system_clock.h"
#include "bot/waited.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "router/base/id_source.h"
#include "router/base/json.h"
#include "router/base/text.h"
#include "router/tool/gate.h"
#include "router/tool/shelf.h"

namespace writ::bot {
namespace {

using router::CallReport;
using router::Json;

constexpr std::chrono::seconds kLongestList{60};
// Beside a call's own time-out, which progress prolongs.
constexpr int kLongestCall = 5;
// How often a tool may ask within one call.
constexpr int kMaxQuestions = 3;

void Tell(const std::string& text) { std::fprintf(stderr, "writ: %s\n", text.c_str()); }

// A server's text on a terminal: line by line, and nothing in it that would steer the terminal.
void Print(std::string_view text) {
  while (true) {
    const std::size_t end = text.find('\n');
    std::printf("%s\n", router::ShowInvisible(text.substr(0, end)).c_str());
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// What an adapter warns of: a tool that was left out, a session that did not open.
class WarningsToStderr final : public router::Log {
 public:
  void Write(Level level, std::string_view event, std::initializer_list<Field> fields) override {
    if (level != Level::kWarning && level != Level::kError) return;
    std::string line(event);
    for (const auto& [name, value] : fields) {
      line += " " + std::string(name) + "=" + router::ShowInvisible(value);
    }
    Tell(line);
  }
};

struct Found {
  const router::BoundConnector* bound = nullptr;
  std::string fault;
};

Found FindIn(const Adapters& adapters, const TryConnectorArguments& arguments) {
  for (const router::AppSetup& app : adapters.apps) {
    if (app.id.text() != arguments.app) continue;
    for (const router::AgentSetup& agent : app.agents) {
      if (agent.id.text() != arguments.agent) continue;
      const auto* bound = router::FindConnector(agent, router::ConnectorId(arguments.connector));
      if (bound != nullptr && bound->binding.tools_of != router::ToolsOf::kServer) {
        return {nullptr, "the connector's tools are declared by sessions"};
      }
      return {bound, bound == nullptr ? "the agent has no such connector" : ""};
    }
    return {nullptr, "the app has no such agent"};
  }
  return {nullptr, "the configuration has no such app"};
}

std::optional<connectors::McpOptions> OptionsOf(const TryConnectorArguments& arguments) {
  connectors::McpOptions options;
  options.name = "server";
  options.url = arguments.url;
  options.era = arguments.era == "2025-11-25"   ? connectors::McpEra::k20251125
                : arguments.era == "2026-07-28" ? connectors::McpEra::k20260728
                                                : connectors::McpEra::kAuto;
  for (const std::string& header : arguments.headers) {
    const std::size_t colon = header.find(':');
    if (colon == std::string::npos) {
      Tell("--header wants `name: value`");
      return std::nullopt;
    }
    options.headers.emplace_back(header.substr(0, colon),
                                 router::Trim(std::string_view(header).substr(colon + 1)));
  }
  return options;
}

// One run: the list, then the calls, then what is printed.
class Trial {
 public:
  Trial(const router::BoundConnector& bound, const router::Clock& clock,
        const TryConnectorArguments& arguments, Json input)
      : bound_(bound), ids_(clock), arguments_(arguments), input_(std::move(input)) {}

  int Run();

 private:
  [[nodiscard]] bool List();
  [[nodiscard]] bool Call(const std::string& tool, const std::string& arguments);
  [[nodiscard]] std::optional<std::string> Gated(const std::string& tool,
                                                 const std::string& arguments) const;
  [[nodiscard]] std::optional<CallReport> Send(const router::CallRequest& request) const;
  [[nodiscard]] Json AnswersTo(const router::InputNeeded& needed) const;
  void PrintTools() const;
  bool PrintReport(const std::string& tool, const CallReport& report);

  const router::BoundConnector& bound_;
  router::RandomIdSource ids_;
  const TryConnectorArguments& arguments_;
  const Json input_;  // null where none was given
  router::ToolList list_;
  std::optional<router::Shelf> shelf_;
  Json calls_ = Json::MakeArray();
};

int Trial::Run() {
  if (!List()) return kFailedWhileRunning;
  if (arguments_.tools.empty() && !arguments_.json) PrintTools();
  bool good = true;
  for (std::size_t i = 0; i < arguments_.tools.size(); ++i) {
    const bool given = i < arguments_.arguments.size();
    good = Call(arguments_.tools[i], given ? arguments_.arguments[i] : "{}") && good;
  }
  if (arguments_.json) {
    Json tools = Json::MakeArray();
    for (const router::Tool& tool : list_.tools) {
      tools.Push(Json::MakeObject({{"name", tool.name},
                                   {"description", tool.description},
                                   {"input_schema", tool.input_schema}}));
    }
    std::printf("%s\n", Json::MakeObject({{"tools", tools}, {"calls", calls_}}).Dump().c_str());
  }
  return good ? kDone : kFailedWhileRunning;
}

bool Trial::List() {
  const Waited<router::ToolListOutcome> waited;
  bound_.connector->ListTools(std::chrono::milliseconds(0), {}, waited.Callback());
  const auto outcome = waited.Wait(kLongestList);
  if (!outcome) {
    Tell("the connector did not list its tools");
    return false;
  }
  if (const auto* failure = std::get_if<router::ToolListFailure>(&*outcome)) {
    Tell(failure->what);
    return false;
  }
  list_ = std::get<router::ToolList>(*outcome);
  shelf_.emplace(bound_.binding, list_);
  return true;
}

void Trial::PrintTools() const {
  for (const router::Tool& tool : list_.tools) {
    const std::string_view description(tool.description);
    Print(tool.name + "  " + std::string(description.substr(0, description.find('\n'))));
  }
}

// The arguments as they are sent; nullopt where the binding's own rules would run no such call.
// What it would hold runs, and that is said.
std::optional<std::string> Trial::Gated(const std::string& tool,
                                        const std::string& arguments) const {
  if (shelf_->failing()) {
    Tell("require_approval names `" + *shelf_->failing() + "`, which is no tool: none may run");
    return std::nullopt;
  }
  const router::Gated gated = router::Gate(*shelf_, shelf_->Find(tool), arguments);
  switch (gated.verdict) {
    case router::Gated::Verdict::kFree:
      return gated.canonical;
    case router::Gated::Verdict::kHeld:
      Tell(tool + " is held for approval in a channel; here it runs on your word");
      return gated.canonical;
    case router::Gated::Verdict::kRefused:
    case router::Gated::Verdict::kFaulty:
      break;
  }
  Tell(tool + ": " + gated.status + ": " + router::ShowInvisible(gated.reason));
  return std::nullopt;
}

bool Trial::Call(const std::string& tool, const std::string& arguments) {
  const auto canonical = Gated(tool, arguments);
  if (!canonical) return false;
  router::CallRequest request;
  request.tool = tool;
  request.arguments = *canonical;
  request.idempotency_key = ids_.Next("try_");
  request.timeout = bound_.binding.timeout;
  request.may_ask = true;
  std::optional<CallReport> report;
  for (int asked = 0; asked <= kMaxQuestions; ++asked) {
    report = Send(request);
    const bool goes_on = report && report->kind == CallReport::Kind::kNeedsInput && report->input &&
                         !input_.IsNull();
    if (!goes_on) break;
    request.input = router::InputGiven{AnswersTo(*report->input), report->input->request_state};
  }
  if (report) return PrintReport(tool, *report);
  Tell(tool + ": no answer came");
  return false;
}

std::optional<CallReport> Trial::Send(const router::CallRequest& request) const {
  const Waited<CallReport> waited;
  bound_.connector->Call(request, {}, waited.Callback());
  return waited.Wait(kLongestCall * request.timeout);
}

// What was not answered is declined: nothing is accepted that was not said.
Json Trial::AnswersTo(const router::InputNeeded& needed) const {
  Json answers = Json::MakeObject();
  for (const router::InputQuestion& question : needed.questions) {
    const Json* answer = input_.Find(question.key);
    answers.Set(question.key,
                answer != nullptr ? *answer : Json::MakeObject({{"action", "decline"}}));
  }
  return answers;
}

bool Trial::PrintReport(const std::string& tool, const CallReport& report) {
  const auto print = [&](const char* outcome, const std::string& text) {
    calls_.Push(Json::MakeObject({{"tool", tool}, {"outcome", outcome}, {"text", text}}));
    if (!arguments_.json) Print(text);
  };
  switch (report.kind) {
    case CallReport::Kind::kAnswered:
      print(report.is_error ? "failed" : "done", report.text);
      if (report.is_error) Tell(tool + " failed");
      return !report.is_error;
    case CallReport::Kind::kRefused:
      print("refused", report.text);
      Tell(tool + " did not run: " + report.what);
      return false;
    case CallReport::Kind::kInDoubt:
      print("outcome_unknown", report.text);
      Tell(tool + " may have run: " + report.what);
      return false;
    case CallReport::Kind::kLater:
      print("later", report.text);
      Tell(tool + " is reported from outside");
      return false;
    case CallReport::Kind::kNeedsInput:
      break;
  }
  Json questions = Json::MakeObject();
  for (const router::InputQuestion& question : report.input->questions) {
    questions.Set(question.key,
                  Json::MakeObject({{"message", question.message}, {"schema", question.schema}}));
  }
  print("needs_input", questions.Dump());
  Tell(tool + " asks before it goes on; --input answers");
  return false;
}

int RunWith(const TryConnectorArguments& arguments, const Config* config, Json input) {
  const connectors::CurlEnvironment curl;
  const SystemClock clock;
  WarningsToStderr log;
  // Dies first: what is still out is called back while the adapters are there.
  std::optional<connectors::CurlLoop> http(std::in_place, curl);
  Adapters adapters;
  router::BoundConnector lone;
  Found found{&lone, ""};
  if (config != nullptr) {
    adapters = MakeAdapters(*config, {*http, *http, *http}, clock, log);
    found = FindIn(adapters, arguments);
  } else {
    const auto options = OptionsOf(arguments);
    if (!options) return kWrongUsage;
    auto made = std::make_unique<connectors::McpConnector>(*http, clock, log, *options);
    adapters.mcp.push_back(made.get());
    lone.binding.id = router::ConnectorId("server");
    lone.connector = made.get();
    adapters.connectors.push_back(std::move(made));
  }
  if (found.bound == nullptr) {
    Tell(found.fault);
    return kWrongUsage;
  }
  const int code = Trial(*found.bound, clock, arguments, std::move(input)).Run();
  adapters.CloseSessions();
  http.reset();
  return code;
}

}  // namespace

int TryConnector(const TryConnectorArguments& arguments) {
  const bool named =
      !arguments.app.empty() && !arguments.agent.empty() && !arguments.connector.empty();
  if (arguments.url.empty() && (arguments.config.empty() || !named)) {
    Tell("try-connector wants --config with --app, --agent and --connector, or --url");
    return kWrongUsage;
  }
  Json input;
  if (!arguments.input.empty()) {
    router::JsonParsed parsed = router::ParseJson(arguments.input);
    if (!parsed.value || !parsed.value->IsObject()) {
      Tell("--input wants a JSON object");
      return kWrongUsage;
    }
    input = *std::move(parsed.value);
  }
  std::optional<Config> config;
  if (arguments.url.empty()) {
    config = LoadOrTell(arguments.config);
    if (!config) return kWrongUsage;
  }
  try {
    return RunWith(arguments, config ? &*config : nullptr, std::move(input));
  } catch (const std::exception& fault) {
    Tell(fault.what());
    return kFailedWhileRunning;
  }
}

}  // namespace writ::bot
