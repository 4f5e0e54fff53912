#include "bot/demo/crm/crm_desk.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace writ::bot {
namespace {

using router::Json;

constexpr std::string_view kTools = R"([
  {"name": "lookup", "title": "Look up an order",
   "description": "Tells what an order was, what it cost and what of it was refunded.",
   "inputSchema": {"type": "object", "additionalProperties": false, "required": ["order_id"],
                   "properties": {"order_id": {"type": "string", "minLength": 1}}},
   "annotations": {"readOnlyHint": true}},
  {"name": "refund", "title": "Refund an order",
   "description": "Gives back an amount of what an order cost, in euros.",
   "inputSchema": {"type": "object", "additionalProperties": false,
                   "required": ["order_id", "amount"],
                   "properties": {"order_id": {"type": "string", "minLength": 1},
                                  "amount": {"type": "number", "exclusiveMinimum": 0,
                                             "maximum": 1000000}}},
   "annotations": {"readOnlyHint": false, "destructiveHint": true}},
  {"name": "echo", "title": "Echo a message",
   "description": "Echoes the message.",
   "inputSchema": {"type": "object", "additionalProperties": false, "required": ["message"],
                   "properties": {"message": {"type": "string"}}}}
])";

std::string Euros(std::int64_t cents) {
  std::string text = std::to_string(cents / 100);
  const std::int64_t rest = cents % 100;
  if (rest == 0) return text + " €";
  return text + (rest < 10 ? ".0" : ".") + std::to_string(rest) + " €";
}

// The connector's schema was checked by who calls; a CRM believes nobody.
std::optional<std::int64_t> CentsOf(const Json* amount) {
  const auto euros = amount == nullptr ? std::nullopt : amount->ToDouble();
  if (!euros || !(*euros > 0) || *euros > 1'000'000) return std::nullopt;
  return std::llround(*euros * 100);
}

}  // namespace

CrmDesk::CrmDesk(const router::Clock& clock)
    : clock_(clock),
      orders_{{"42", {"a standing desk", 45000}},
              {"43", {"two office chairs", 24000}},
              {"44", {"a desk lamp", 8000}}} {}

Json CrmDesk::Tools() { return *router::ParseJson(kTools).value; }

bool CrmDesk::HasTool(std::string_view tool) {
  return tool == "lookup" || tool == "refund" || tool == "echo";
}

CrmEntry CrmDesk::Run(const std::string& tool, const Json& arguments, const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto before = std::ranges::find_if(
      log_, [&](const CrmEntry& entry) { return !key.empty() && entry.key == key; });
  if (before != log_.end()) return *before;
  Reply reply;
  if (tool == "echo") {
    reply.text = "Echo: " + arguments.TextAt("message");
  } else if (tool == "lookup") {
    reply = LookUpLocked(arguments.TextAt("order_id"));
  } else {
    reply = RefundLocked(arguments.TextAt("order_id"), arguments.Find("amount"));
  }
  log_.push_back({clock_.Now(), tool, arguments, reply.text, reply.failed, key});
  return log_.back();
}

CrmDesk::Reply CrmDesk::LookUpLocked(const std::string& order_id) const {
  const auto order = orders_.find(order_id);
  if (order == orders_.end())
    return {"There is no order " + order_id + ". Try 42, 43 or 44.", true};
  const auto& [what, cents, refunded] = order->second;
  return {"Order " + order_id + " is " + what + " for " + Euros(cents) +
          (refunded == 0 ? ", paid." : ", of which " + Euros(refunded) + " was refunded.")};
}

CrmDesk::Reply CrmDesk::RefundLocked(const std::string& order_id, const Json* amount) {
  const auto order = orders_.find(order_id);
  if (order == orders_.end())
    return {"There is no order " + order_id + ". Try 42, 43 or 44.", true};
  const auto cents = CentsOf(amount);
  if (!cents || *cents == 0) return {"That is no amount.", true};
  const std::int64_t left = order->second.cents - order->second.refunded;
  if (*cents > left) {
    return {"Order " + order_id + " has " + Euros(left) + " left to refund: nothing was done.",
            true};
  }
  order->second.refunded += *cents;
  return {"Refunded " + Euros(*cents) + " of order " + order_id + "."};
}

std::vector<CrmEntry> CrmDesk::Log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

std::size_t CrmDesk::CountOf(std::string_view tool) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(log_, [&](const CrmEntry& entry) { return entry.tool == tool; }));
}

}  // namespace writ::bot
