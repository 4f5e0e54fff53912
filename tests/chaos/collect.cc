#include "tests/chaos/collect.h"

#include <map>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "router/audit/verify.h"
#include "router/base/json.h"
#include "tests/chaos/checker.h"

namespace writ::chaos {

using router::Json;
using tests::ApiClient;
using tests::ApiReply;
using tests::World;

namespace {

constexpr std::string_view kOurs = "writ-";

Json Get(const World& world, const ApiClient& api, const std::string& target) {
  ApiReply reply;
  const bool answered = tests::Eventually([&] {
    reply = api.Get(world.Backend(), target);
    return reply.status == 200 || reply.status == 404;
  });
  if (!answered) throw std::runtime_error("GET " + target + ": " + reply.text());
  return reply.status == 200 ? reply.json() : Json();
}

std::vector<Step> StepsIn(const Json* steps) {
  std::vector<Step> all;
  if (steps == nullptr || !steps->IsArray()) return all;
  for (const Json& step : steps->array()) {
    all.push_back(
        {step.TextAt("id"), step.TextAt("name"), step.TextAt("status"), step.TextAt("outcome")});
  }
  return all;
}

void CollectCommands(const World& world, const ApiClient& api, const std::set<std::string>& cids,
                     Evidence& evidence) {
  std::map<std::string, std::vector<std::string>> sessions;  // by channel
  for (const std::string& cid : cids) {
    const Json page = Get(world, api, "/v1/agents/sessions?cid=" + cid);
    const Json* list = page.Find("sessions");
    if (list == nullptr) continue;
    for (const Json& session : list->array()) {
      sessions[cid].push_back(session.TextAt("session_id"));
    }
  }
  std::set<std::string> read;
  for (const Shown& shown : evidence.shown) {
    if (shown.command.empty() || !read.insert(shown.command).second) continue;
    for (const std::string& session : sessions[shown.cid]) {
      const Json command =
          Get(world, api, "/v1/agents/sessions/" + session + "/commands/" + shown.command);
      if (command.IsNull()) continue;
      evidence.commands.push_back({shown.command, shown.cid, WordIn(command.TextAt("text")),
                                   command.TextAt("state"), command.TextAt("reply"),
                                   StepsIn(command.Find("steps"))});
    }
  }
}

Approval ApprovalOf(const Json& json) {
  Approval approval;
  approval.id = json.TextAt("approval_id");
  approval.call = json.TextAt("call_id");
  approval.command = json.TextAt("run_id");
  approval.cid = json.TextAt("cid");
  approval.asked = json.TextAt("asked");
  approval.tool = json.TextAt("tool").substr(json.TextAt("connector").size() + 2);
  if (const Json* arguments = json.Find("arguments")) {
    approval.message = arguments->TextAt("message");
  }
  approval.status = json.TextAt("status");
  approval.consumed = json.BoolAt("consumed").value_or(false);
  const Json* decision = json.Find("decision");
  if (decision != nullptr && decision->IsObject()) {
    approval.has_decision = true;
    approval.allowed = decision->BoolAt("approved").value_or(false);
    approval.decided_by = decision->TextAt("decided_by");
  }
  return approval;
}

void CollectApprovals(const World& world, const ApiClient& api, Evidence& evidence) {
  std::string cursor;
  do {
    const Json page =
        Get(world, api, "/v1/approvals?limit=1000" + (cursor.empty() ? "" : "&cursor=" + cursor));
    const Json* list = page.Find("approvals");
    if (list == nullptr) throw std::runtime_error("a page of approvals without any");
    for (const Json& json : list->array()) evidence.approvals.push_back(ApprovalOf(json));
    cursor = page.TextAt("next_cursor");
  } while (!cursor.empty());
}

void CollectAudit(const World& world, const ApiClient& api, Evidence& evidence) {
  // Entries are sealed within a second of being written.
  router::AuditVerifier verifier(kAuditSecret);
  std::string after = "0";
  std::string head;
  std::size_t unsealed = 0;
  while (true) {
    const Json page = Get(world, api, "/v1/audit?limit=1000&after=" + after);
    const Json* list = page.Find("entries");
    if (list == nullptr) throw std::runtime_error("a page of the audit log without entries");
    for (const Json& line : list->array()) {
      Json read = line;
      read.Set("app_id", "acme");
      verifier.Read(read.Dump());
      const Json* entry = line.Find("entry");
      if (entry == nullptr) continue;
      if (!line.IntAt("seal")) ++unsealed;
      evidence.audit.push_back(
          {entry->TextAt("type"), entry->TextAt("call_id"), entry->TextAt("decided_by"),
           entry->BoolAt("approved").value_or(false), entry->TextAt("outcome")});
    }
    head = page.TextAt("head");
    const auto next = page.IntAt("next_after");
    if (!next) break;
    after = std::to_string(*next);
  }
  verifier.Read(Json::MakeObject({{"app_id", "acme"}, {"head", head}}).Dump());
  evidence.audit_faults = verifier.Finish({}).faults;
  if (unsealed > 0) {
    evidence.audit_faults.push_back(std::to_string(unsealed) + " entries are not sealed");
  }
}

}  // namespace

void CollectShown(const World& world, const std::set<std::string>& cids, Evidence& evidence) {
  std::int64_t place = 0;
  for (const std::string& cid : cids) {
    for (const Json& message : world.BotMessages(cid)) {
      Shown shown;
      shown.id = message.TextAt("id");
      shown.cid = cid;
      if (shown.id.starts_with(kOurs)) shown.command = shown.id.substr(kOurs.size());
      if (const Json* runtime = message.Find("support_runtime")) {
        shown.state = runtime->TextAt("state");
      }
      shown.text = message.TextAt("text");
      shown.place = ++place;
      shown.steps = StepsIn(message.Find("attachments"));
      evidence.shown.push_back(std::move(shown));
    }
  }
}

void CollectRecords(const World& world, const ApiClient& api, const std::set<std::string>& cids,
                    Evidence& evidence) {
  CollectCommands(world, api, cids, evidence);
  CollectApprovals(world, api, evidence);
  CollectAudit(world, api, evidence);
}

}  // namespace writ::chaos
