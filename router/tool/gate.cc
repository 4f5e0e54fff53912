#include "router/tool/gate.h"

#include <algorithm>
#include <utility>

#include "router/tool/wildcard.h"

namespace writ::router {
namespace {

constexpr std::string_view kUnknownTool = "unknown_tool";
constexpr std::string_view kBlocked = "blocked";
constexpr std::string_view kInvalidArguments = "invalid_arguments";
constexpr std::string_view kFailed = "failed";  // by a rule that could not be judged
constexpr std::string_view kNotAllowedSo = "this tool is not allowed with these arguments";
constexpr std::string_view kFailing = "the connector's tools can't be used at the moment";
constexpr std::string_view kNotChecked = "the arguments could not be checked";
constexpr std::string_view kHoldRules = "/require_approval";
constexpr std::size_t kFaultsTold = 5;
constexpr std::size_t kNamesTold = 20;

std::string NoSuchTool(const Shelf& shelf) {
  const std::vector<const ShelvedTool*> offered = shelf.Offered();
  std::string reason = "there is no such tool";
  for (std::size_t i = 0; i < std::min(offered.size(), kNamesTold); ++i) {
    reason += (i == 0 ? "; there are: " : ", ") + offered[i]->tool.name;
  }
  return reason + (offered.size() > kNamesTold ? ", and others" : "");
}

// Why this tool may not be used at all, whatever the arguments are.
std::optional<Stopped> Closed(const Shelf& shelf, const ShelvedTool* tool) {
  if (shelf.failing()) return Stopped{std::string(kUnknownTool), std::string(kFailing)};
  if (tool == nullptr) return Stopped{std::string(kUnknownTool), NoSuchTool(shelf)};
  if (!tool->allowed) return Stopped{std::string(kBlocked), "this tool is not allowed here"};
  if (!tool->schema) return Stopped{std::string(kBlocked), "the tool's schema can't be used"};
  return std::nullopt;
}

std::string WhatForbids(const Binding& binding, const ShelvedTool& tool) {
  for (std::size_t i = 0; i < binding.deny.size(); ++i) {
    if (MatchesWildcard(binding.deny[i], tool.tool.name)) return "/deny/" + std::to_string(i);
  }
  return "/allow";
}

struct ReadArguments {
  std::optional<Json> value;
  std::string fault;
};

// More than any person reads, and than a turn's row should carry through each commit.
constexpr std::size_t kLongestArguments = std::size_t{256} << 10;

ReadArguments Read(std::string_view text) {
  if (text.size() > kLongestArguments) {
    return {std::nullopt, "the arguments are longer than 256 KiB"};
  }
  JsonParsed parsed = ParseJson(text.empty() ? "{}" : text);  // some models leave `{}` out
  if (!parsed.value) return {std::nullopt, "the arguments are not JSON: " + parsed.fault};
  if (!parsed.value->IsObject()) return {std::nullopt, "the arguments are not a JSON object"};
  return {std::move(parsed.value), ""};
}

// Why the schema does not take the arguments; empty where it does.
std::string WhyInvalid(const Schema& schema, const Json& arguments) {
  const SchemaVerdict verdict = schema.Validate(arguments);
  switch (verdict.kind) {
    case SchemaVerdict::Kind::kValid:
      return "";
    case SchemaVerdict::Kind::kCannotJudge:
      return std::string(kNotChecked);
    case SchemaVerdict::Kind::kInvalid:
      break;
  }
  std::string reason = "the arguments do not fit the tool's schema";
  for (std::size_t i = 0; i < std::min(verdict.faults.size(), kFaultsTold); ++i) {
    const SchemaFault& fault = verdict.faults[i];
    reason += i == 0 ? ": " : "; ";
    reason += (fault.pointer.empty() ? "the whole" : fault.pointer) + ": " + fault.text;
  }
  return reason;
}

struct DeniedBy {
  Stopped stopped;
  std::string rule;  // where it stands in the binding
};

// Why the binding's own rules forbid these arguments; nullopt: they don't.
std::optional<DeniedBy> Denied(const Binding& binding, const Tool& tool, const Json& arguments) {
  const BeforeCall& rules = binding.before_call;
  if (rules.max_arguments_bytes && arguments.Canonical().size() > *rules.max_arguments_bytes) {
    return DeniedBy{
        {std::string(kBlocked),
         "the arguments are longer than " + std::to_string(*rules.max_arguments_bytes) + " bytes"},
        "/before_call/max_arguments_bytes"};
  }
  for (std::size_t i = 0; i < rules.deny.size(); ++i) {
    const DenyRule& rule = rules.deny[i];
    if (!MatchesWildcard(rule.tool, tool.name)) continue;
    const auto kind = rule.when ? rule.when->Validate(arguments).kind : SchemaVerdict::Kind::kValid;
    if (kind == SchemaVerdict::Kind::kInvalid) continue;
    const std::string place = "/before_call/deny/" + std::to_string(i);
    if (kind == SchemaVerdict::Kind::kCannotJudge) {
      return DeniedBy{{std::string(kFailed), "a deny rule could not be judged"}, place};
    }
    return DeniedBy{
        {std::string(kBlocked), rule.reason.empty() ? std::string(kNotAllowedSo) : rule.reason},
        place};
  }
  return std::nullopt;
}

void Refuse(Gated& gated, std::string_view status, std::string reason) {
  gated.verdict = Gated::Verdict::kRefused;
  gated.status = status;
  gated.reason = std::move(reason);
}

// The binding's rules in their order; the first that does not say no decides.
void ApplyRules(const Binding& binding, const ShelvedTool& tool, Gated& gated) {
  gated.verdict = Gated::Verdict::kHeld;
  gated.rule = kHoldRules;
  if (binding.hold_all) return;
  // A hint is worth what its server's word is worth.
  if (binding.hold_unless_read_only && !(binding.trusted && tool.tool.read_only_hint)) return;
  for (std::size_t i = 0; i < binding.hold.size(); ++i) {
    const ApprovalRule& rule = binding.hold[i];
    if (!MatchesWildcard(rule.tool, tool.tool.name)) continue;
    const auto kind =
        rule.when ? rule.when->Validate(gated.arguments).kind : SchemaVerdict::Kind::kValid;
    if (kind == SchemaVerdict::Kind::kInvalid) continue;
    gated.rule = std::string(kHoldRules) + '/' + std::to_string(i);
    if (kind == SchemaVerdict::Kind::kCannotJudge) {
      gated.verdict = Gated::Verdict::kFaulty;
      gated.status = kFailed;
      gated.reason = "an approval rule could not be judged";
    } else {
      gated.hint = rule.hint;
    }
    return;
  }
  gated.verdict = Gated::Verdict::kFree;
  gated.rule.clear();
}

}  // namespace

Gated Gate(const Shelf& shelf, const ShelvedTool* tool, std::string_view arguments_text) {
  Gated gated;
  if (auto closed = Closed(shelf, tool)) {
    Refuse(gated, closed->status, std::move(closed->reason));
    if (tool != nullptr && !tool->allowed) gated.rule = WhatForbids(shelf.binding(), *tool);
    return gated;
  }
  ReadArguments read = Read(arguments_text);
  if (!read.value) {
    Refuse(gated, kInvalidArguments, std::move(read.fault));
    return gated;
  }
  gated.arguments = *std::move(read.value);
  gated.canonical = gated.arguments.Canonical();
  if (std::string why = WhyInvalid(*tool->schema, gated.arguments); !why.empty()) {
    Refuse(gated, kInvalidArguments, std::move(why));
    return gated;
  }
  if (auto denied = Denied(shelf.binding(), tool->tool, gated.arguments)) {
    Refuse(gated, denied->stopped.status, std::move(denied->stopped.reason));
    gated.rule = std::move(denied->rule);
    if (gated.status == kFailed) gated.verdict = Gated::Verdict::kFaulty;
    return gated;
  }
  ApplyRules(shelf.binding(), *tool, gated);
  return gated;
}

std::optional<Stopped> GateNow(const Shelf& shelf, const std::string& tool,
                               const std::string& schema_digest,
                               std::string_view arguments_to_run) {
  const ShelvedTool* shelved = shelf.Find(tool);
  if (auto closed = Closed(shelf, shelved)) return closed;
  if (shelved->schema_digest != schema_digest) {
    return Stopped{std::string(kInvalidArguments), "the tool's schema changed since the question"};
  }
  const ReadArguments read = Read(arguments_to_run);
  if (!read.value) return Stopped{std::string(kInvalidArguments), read.fault};
  if (std::string why = WhyInvalid(*shelved->schema, *read.value); !why.empty()) {
    return Stopped{std::string(kInvalidArguments), std::move(why)};
  }
  auto denied = Denied(shelf.binding(), shelved->tool, *read.value);
  if (!denied) return std::nullopt;
  return std::move(denied->stopped);
}

std::vector<EditFault> CheckEdit(const Binding& binding, const ShelvedTool& tool,
                                 const Json& arguments) {
  if (!arguments.IsObject()) return {{"", "must be an object"}};
  if (arguments.Canonical().size() > kLongestArguments) {
    return {{"", "must not be longer than 256 KiB"}};
  }
  if (!tool.schema) return {{"", std::string(kNotChecked)}};
  SchemaVerdict verdict = tool.schema->Validate(arguments);
  std::vector<EditFault> faults;
  switch (verdict.kind) {
    case SchemaVerdict::Kind::kValid:
      break;
    case SchemaVerdict::Kind::kCannotJudge:
      faults.push_back({"", std::string(kNotChecked)});
      break;
    case SchemaVerdict::Kind::kInvalid:
      for (SchemaFault& fault : verdict.faults) {
        faults.push_back({std::move(fault.pointer), std::move(fault.text)});
      }
      break;
  }
  if (!faults.empty()) return faults;
  if (auto denied = Denied(binding, tool.tool, arguments)) {
    faults.push_back({"", std::move(denied->stopped.reason)});
  }
  return faults;
}

}  // namespace writ::router
