#include "router/tool/ruling.h"

#include <utility>
#include <variant>

namespace writ::router {
namespace {

Ruling Unusable(std::string fault) {
  return {Ruling::Kind::kBlock, "it could not be checked with the app's backend", "",
          std::move(fault)};
}

}  // namespace

std::vector<std::string> RulingKeys() { return {"decision", "reason", "result"}; }

Ruling RulingOf(const CheckOutcome& outcome) {
  if (const auto* failed = std::get_if<CheckFailed>(&outcome)) return Unusable(failed->what);
  const Json& answer = std::get<Json>(outcome);
  const Json* reason = answer.Find("reason");
  const Json* result = answer.Find("result");
  if (reason != nullptr && !reason->IsString()) return Unusable("its reason is no text");
  const std::string decision = answer.TextAt("decision");
  if (decision == "short_circuit") {
    if (result == nullptr) return Unusable("it gives no result to go on with");
    return {Ruling::Kind::kShortCircuit, "", result->IsString() ? result->string() : result->Dump(),
            ""};
  }
  if (result != nullptr) return Unusable("it gives a result that nobody asked for");
  if (decision == "allow") return {Ruling::Kind::kAllow, "", "", ""};
  if (decision != "block") return Unusable("its decision is none");
  const std::string why = answer.TextAt("reason");
  return {Ruling::Kind::kBlock, why.empty() ? "the app's backend blocked it" : why, "", ""};
}

}  // namespace writ::router
