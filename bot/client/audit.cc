// `writ audit export|verify`: the decision log of a running node, and whether anything in it was
// changed, removed or reordered.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bot/client/access.h"
#include "bot/client/table.h"
#include "bot/client/writ_api.h"
#include "bot/commands.h"
#include "bot/load.h"
#include "bot/process/system_clock.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "router/audit/verify.h"
#include "router/base/failure.h"
#include "router/base/json.h"

namespace writ::bot {
namespace {

using router::Failure;
using router::Json;
constexpr std::size_t kLongestLine = 500;  // in a terminal

using TakeLine = std::function<void(const std::string& line)>;

// One app's log out of a running node, as an export's lines.
class Export {
 public:
  Export(const Access& access, std::string app)
      : access_(access), app_(std::move(app)), http_(environment_), api_(http_, access.url()) {}

  // throws  Failure where the node can't be asked
  void Run(const TakeLine& take) {
    std::int64_t after = 0;
    for (bool more = true; more;) {
      const Json page = Page(after);
      TakePage(page, after, take);
      const auto next = page.IntAt("next_after");
      more = next.has_value();
      after = next.value_or(0);
    }
  }

 private:
  void TakePage(const Json& page, std::int64_t after, const TakeLine& take) {
    if (const Json* checkpoint = page.Find("checkpoint"); checkpoint->IsObject()) {
      if (after == 0) {
        take(Line({{"checkpoint", *checkpoint}}));
        checkpoint_ = *checkpoint;
      } else if (!(*checkpoint == checkpoint_)) {
        throw Failure(Failure::Kind::kTransient, "entries were removed meanwhile: try it again");
      }
    }
    for (const Json& entry : page.Find("entries")->array()) {
      take(Line({{"seal", *entry.Find("seal")},
                 {"mac", *entry.Find("mac")},
                 {"entry", *entry.Find("entry")},
                 {"aside", entry.Find("aside") != nullptr ? *entry.Find("aside") : Json()}}));
    }
    // The head behind the last page's entries: what was sealed since would not be here.
    if (page.Find("next_after")->IsNull() && page.Find("head")->IsString()) {
      take(Line({{"head", *page.Find("head")}}));
    }
  }

  [[nodiscard]] std::string Line(std::initializer_list<router::JsonMember> members) const {
    Json line = Json::MakeObject({{"app_id", app_}});
    for (const router::JsonMember& member : members) line.Set(member.key, member.value);
    return line.Dump();
  }

  [[nodiscard]] Json Page(std::int64_t after) {
    const WritAnswer answer = api_.Get("/v1/audit?limit=1000&after=" + std::to_string(after),
                                       access_.Headers(clock_.Now()));
    if (answer.status == 0) {
      throw Failure(Failure::Kind::kTransient, access_.url() + " can't be reached: " + answer.body);
    }
    router::JsonParsed parsed = router::ParseJson(answer.body);
    if (answer.status != 200 || !parsed.value || parsed.value->Find("entries") == nullptr) {
      const std::string code = parsed.value ? " " + parsed.value->TextAt("code") : "";
      throw Failure(Failure::Kind::kPermanent,
                    access_.url() + " answered " + std::to_string(answer.status) + code);
    }
    return *std::move(parsed.value);
  }

  const Access& access_;
  const std::string app_;
  const SystemClock clock_;
  const connectors::CurlEnvironment environment_;
  connectors::CurlLoop http_;
  WritApi api_;
  Json checkpoint_;
};

// The apps that are meant: one, or all of the configuration.
std::vector<std::string> AppsOf(const Config& config, const std::string& app) {
  if (!app.empty()) return {app};
  std::vector<std::string> apps;
  apps.reserve(config.apps.size());
  for (const AppConfig& one : config.apps) apps.push_back(one.id.text());
  return apps;
}

// False after stderr was told why.
bool ExportAll(const AuditArguments& arguments, const Config& config, const TakeLine& take) {
  for (const std::string& app : AppsOf(config, arguments.app)) {
    AccessArguments to_app;
    to_app.url = arguments.url;
    to_app.config = arguments.config;
    to_app.app = app;
    const auto access = Access::Of(to_app);
    if (!access) return false;
    Export(*access, app).Run(take);
  }
  return true;
}

void ReadLines(std::istream& in, const TakeLine& take) {
  for (std::string line; std::getline(in, line);) take(line);
}

// False after stderr was told why.
bool ReadExport(const AuditArguments& arguments, const Config& config, const TakeLine& take) {
  if (arguments.file.empty()) return ExportAll(arguments, config, take);
  if (arguments.file == "-") {
    ReadLines(std::cin, take);
    return true;
  }
  std::ifstream file(arguments.file);
  if (!file) {
    std::fprintf(stderr, "writ: %s can't be read\n", arguments.file.c_str());
    return false;
  }
  ReadLines(file, take);
  return true;
}

int VerifyLog(const AuditArguments& arguments, const Config& config) {
  if (!config.audit) {
    std::fprintf(stderr, "writ: the configuration has no audit.secret\n");
    return kWrongUsage;
  }
  std::vector<router::AuditHead> heads;
  for (const std::string& text : arguments.heads) {
    const auto head = router::ReadHead(text);
    if (!head) {
      std::fprintf(stderr, "writ: --head is APP:SEAL:MAC, as it was published\n");
      return kWrongUsage;
    }
    heads.push_back(*head);
  }
  router::AuditVerifier verifier(config.audit->secret.Reveal());
  for (const std::string& app : AppsOf(config, arguments.app)) verifier.Expect(router::AppId(app));
  if (!ReadExport(arguments, config, [&](const std::string& line) { verifier.Read(line); })) {
    return kWrongUsage;
  }
  const auto findings = verifier.Finish(heads);
  for (const std::string& fault : findings.faults)
    std::printf("FAULT %s\n", SafeCell(fault, kLongestLine).c_str());
  for (const std::string& note : findings.notes)
    std::printf("%s\n", SafeCell(note, kLongestLine).c_str());
  const char* in_short = "nothing was changed, removed or reordered";
  if (!findings.ends_proven)
    in_short = "no fault in what is here; what that can't prove is said above";
  if (!findings.faults.empty()) in_short = "the log is not what was written";
  std::printf("%s\n", in_short);
  return findings.faults.empty() ? kDone : kFailedWhileRunning;
}

}  // namespace

int Audit(const AuditArguments& arguments) {
  const auto config = LoadOrTell(arguments.config);
  if (!config) return kWrongUsage;
  try {
    if (arguments.action == AuditArguments::Action::kVerify) return VerifyLog(arguments, *config);
    const auto print = [](const std::string& line) { std::printf("%s\n", line.c_str()); };
    return ExportAll(arguments, *config, print) ? kDone : kWrongUsage;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "writ: %s\n", fault.what());
    return kFailedWhileRunning;
  }
}

}  // namespace writ::bot
