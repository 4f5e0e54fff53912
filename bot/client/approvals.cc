// `writ approvals list|show|approve|deny`: the backend's approvals from a terminal, over the HTTP
// API.
#include <chrono>
#include <cstdio>
#include <exception>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bot/client/access.h"
#include "bot/client/approval_words.h"
#include "bot/client/table.h"
#include "bot/client/watch.h"
#include "bot/client/writ_api.h"
#include "bot/commands.h"
#include "bot/process/stop_signal.h"
#include "bot/process/system_clock.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "connectors/http/percent.h"
#include "router/base/json.h"

namespace writ::bot {
namespace {

using connectors::PercentEncode;
using router::Json;

constexpr std::chrono::seconds kLookAgain{1};

// What was asked and could not be had, told to stderr.
struct Refusal {
  int code = kFailedWhileRunning;
};
using Fetched = std::variant<Json, Refusal>;

std::string Words(const std::string& text) { return SafeCell(text, 500); }

void Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

class Command {
 public:
  Command(const ApprovalsArguments& arguments, const Access& access)
      : arguments_(arguments), access_(access), http_(environment_), api_(http_, access.url()) {}

  int Run() {
    switch (arguments_.action) {
      case ApprovalsArguments::Action::kList:
        return List();
      case ApprovalsArguments::Action::kShow:
        return Show();
      case ApprovalsArguments::Action::kApprove:
      case ApprovalsArguments::Action::kDeny:
        return Decide();
    }
    return kWrongUsage;
  }

  // The list, live: a line for each approval when it appears and whenever something became of it,
  // until a signal.
  int WatchList(StopSignal& stop_signal);

 private:
  [[nodiscard]] Fetched Read(const WritAnswer& answer) const;
  [[nodiscard]] Fetched Get(const std::string& target) {
    return Read(api_.Get(target, access_.Headers(clock_.Now())));
  }
  [[nodiscard]] std::string ListTarget() const;
  [[nodiscard]] static std::string TargetOf(const std::string& id) {
    return "/v1/approvals/" + PercentEncode(id);
  }
  void PrintRecord(const Json& record) const {
    Print(arguments_.json ? record.Dump() + '\n' : ApprovalLines(record));
  }
  void PrintRow(const Json& record) const;

  int List();
  [[nodiscard]] std::optional<int> LookOnce(Watch& watch);
  int Show();
  int Decide();

  const ApprovalsArguments& arguments_;
  const Access& access_;
  const SystemClock clock_;
  const connectors::CurlEnvironment environment_;
  connectors::CurlLoop http_;
  WritApi api_;
};

Fetched Command::Read(const WritAnswer& answer) const {
  if (answer.status == 0) {
    std::fprintf(stderr, "writ: %s can't be reached: %s\n", access_.url().c_str(),
                 Words(answer.body).c_str());
    return Refusal{};
  }
  router::JsonParsed parsed = router::ParseJson(answer.body);
  if (!parsed.value || !parsed.value->IsObject()) {
    std::fprintf(stderr, "writ: %s answered %d, and no JSON object: is it a node of Writ?\n",
                 access_.url().c_str(), answer.status);
    return Refusal{};
  }
  if (answer.status / 100 == 2) return *std::move(parsed.value);
  const Json& problem = *parsed.value;
  std::string told = problem.TextAt("code") + ": " + problem.TextAt("detail");
  if (const Json* errors = problem.Find("errors"); errors != nullptr && errors->IsArray()) {
    for (const Json& error : errors->array()) {
      told += "; " + error.TextAt("pointer") + ' ' + error.TextAt("detail");
    }
  }
  std::fprintf(stderr, "writ: %s\n", Words(told).c_str());
  if (const Json* standing = problem.Find("approval")) PrintRecord(*standing);
  return Refusal{answer.status == 422 ? kWrongUsage : kFailedWhileRunning};
}

std::string Command::ListTarget() const {
  std::string target = "/v1/approvals?limit=" + std::to_string(arguments_.limit);
  const std::pair<const char*, const std::string*> filters[] = {{"status", &arguments_.status},
                                                                {"run_id", &arguments_.run},
                                                                {"cid", &arguments_.cid},
                                                                {"asked", &arguments_.asked},
                                                                {"cursor", &arguments_.cursor}};
  for (const auto& [name, value] : filters) {
    if (!value->empty()) target += '&' + std::string(name) + '=' + PercentEncode(*value);
  }
  return target;
}

int Command::List() {
  const Fetched fetched = Get(ListTarget());
  if (const auto* refusal = std::get_if<Refusal>(&fetched)) return refusal->code;
  const auto& page = std::get<Json>(fetched);
  if (arguments_.json) {
    Print(page.Dump() + '\n');
    return kDone;
  }
  std::vector<std::vector<std::string>> rows{ApprovalColumns()};
  if (const Json* approvals = page.Find("approvals")) {
    for (const Json& approval : approvals->array()) rows.push_back(ApprovalRow(approval));
  }
  Print(TableOf(rows));
  if (const std::string next = page.TextAt("next_cursor"); !next.empty()) {
    std::fprintf(stderr, "more: --cursor %s\n", Words(next).c_str());
  }
  return kDone;
}

void Command::PrintRow(const Json& record) const {
  Print(arguments_.json ? record.Dump() + '\n' : TableOf({ApprovalRow(record)}));
}

// nullopt: it was looked at.
std::optional<int> Command::LookOnce(Watch& watch) {
  const Fetched fetched = Get(ListTarget());
  if (const auto* refusal = std::get_if<Refusal>(&fetched)) return refusal->code;
  const Json* approvals = std::get<Json>(fetched).Find("approvals");
  if (approvals == nullptr || !approvals->IsArray()) return kFailedWhileRunning;
  for (const std::string& id : watch.Missing(approvals->array())) {
    const Fetched one = Get(TargetOf(id));
    if (const auto* record = std::get_if<Json>(&one)) {
      for (const Json& changed : watch.Changed({*record})) PrintRow(changed);
    }
  }
  for (const Json& changed : watch.Changed(approvals->array())) PrintRow(changed);
  return std::nullopt;
}

int Command::WatchList(StopSignal& stop_signal) {
  std::promise<void> stopped;
  const std::future<void> stop = stopped.get_future();
  stop_signal.Listen([&stopped] { stopped.set_value(); });
  Watch watch;
  if (!arguments_.json) Print(TableOf({ApprovalColumns()}));
  if (const auto code = LookOnce(watch)) return *code;
  bool told = false;
  while (stop.wait_for(kLookAgain) != std::future_status::ready) {
    // A node that restarts is waited for; each trouble was told to stderr.
    const bool failed = LookOnce(watch).has_value();
    if (told && !failed) std::fprintf(stderr, "writ: it answers again\n");
    told = failed;
  }
  return kDone;
}

int Command::Show() {
  const Fetched fetched = Get(TargetOf(arguments_.id));
  if (const auto* refusal = std::get_if<Refusal>(&fetched)) return refusal->code;
  PrintRecord(std::get<Json>(fetched));
  return kDone;
}

int Command::Decide() {
  const bool allowed = arguments_.action == ApprovalsArguments::Action::kApprove;
  Json body = Json::MakeObject({{"allowed", allowed}});
  if (!arguments_.reason.empty()) body.Set("reason", arguments_.reason);
  if (!arguments_.decided_by.empty()) body.Set("decided_by", arguments_.decided_by);
  if (!arguments_.edit.empty()) {
    router::JsonParsed edit = router::ParseJson(arguments_.edit);
    if (!edit.value) {
      std::fprintf(stderr, "writ: --edit is not JSON: %s\n", edit.fault.c_str());
      return kWrongUsage;
    }
    body.Set("edited_arguments", *std::move(edit.value));
  }
  const Fetched fetched = Read(
      api_.Post(TargetOf(arguments_.id) + "/decision", access_.Headers(clock_.Now()), body.Dump()));
  if (const auto* refusal = std::get_if<Refusal>(&fetched)) return refusal->code;
  const auto& record = std::get<Json>(fetched);
  if (arguments_.json) {
    PrintRecord(record);
  } else {
    Print(Words(record.TextAt("approval_id")) + " is " + Words(record.TextAt("status")) + '\n');
  }
  return kDone;
}

}  // namespace

int Approvals(const ApprovalsArguments& arguments) {
  std::optional<StopSignal> stop_signal;
  if (arguments.watch) stop_signal.emplace();  // before the first thread
  const auto access = Access::Of(arguments.access);
  if (!access) return kWrongUsage;
  try {
    Command command(arguments, *access);
    return stop_signal ? command.WatchList(*stop_signal) : command.Run();
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "writ: %s\n", fault.what());
    return kFailedWhileRunning;
  }
}

}  // namespace writ::bot
