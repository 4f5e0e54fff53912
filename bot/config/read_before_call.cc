#include "bot/config/read_before_call.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "bot/config/read_schema.h"
#include "connectors/backend/webhook_signature.h"

namespace writ::bot {

using router::BeforeCall;
using router::Budget;
using router::Budgets;
using router::DenyRule;

namespace {

Budget ReadBudget(const Node& node) {
  Budget budget;
  budget.calls_per_minute = node["calls_per_minute"].Count(0);
  budget.tokens_per_day = node["tokens_per_day"].Count(0);
  return budget;
}

DenyRule ReadDenyRule(const Node& node) {
  if (node.json().IsString()) return {node.Text(), std::nullopt, ""};
  DenyRule rule{node["tool"].Text(), std::nullopt, node["reason"].Text()};
  if (const Node when = node["when"]; when.exists()) rule.when = CompileSchema(when);
  return rule;
}

}  // namespace

connectors::BackendCheckOptions ReadCallback(const Node& node) {
  connectors::BackendCheckOptions options;
  const Node url = node["url"];
  (void)url.Url();           // for its fault
  options.url = url.Text();  // a slash at its end is part of it
  const Node secret = node["secret"];
  const Secret text = secret.ReadSecret();
  if (auto key = connectors::WebhookKeyOf(text.Reveal())) {
    options.key = *std::move(key);
  } else if (!text.empty()) {
    secret.Fault("what stands behind whsec_ is no base64");
  }
  options.timeout = node["timeout_s"].Seconds(options.timeout);
  return options;
}

Budgets ReadBudgets(const Node& node) {
  return {ReadBudget(node["writer"]), ReadBudget(node["channel"])};
}

BeforeCall ReadBeforeCall(const Node& node) {
  BeforeCall rules;
  for (const Node& entry : node["deny"].Items()) rules.deny.push_back(ReadDenyRule(entry));
  if (const Node most = node["max_arguments_bytes"]; most.exists()) {
    rules.max_arguments_bytes = static_cast<std::size_t>(most.Count(0));
  }
  rules.budgets = ReadBudgets(node["budgets"]);
  return rules;
}

}  // namespace writ::bot
