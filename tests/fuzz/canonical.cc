// The canonical form, whose digest a decision is bound to, against a slow reader written apart.
#include <string>

#include "router/base/json.h"
#include "tests/fuzz/slow_canonical.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

void Fuzz(std::string_view input) {
  const auto slow = SlowCanonical(input);
  const auto parsed = router::ParseJson(input);
  Require(parsed.value.has_value() == slow.has_value(), "both readers take the same texts");
  if (!slow) return;
  Require(parsed.value->Canonical() == *slow, "both readers write the same canonical form");
  const auto again = router::ParseJson(*slow);
  Require(again.value && *again.value == *parsed.value, "the canonical form says the same");
  Require(again.value->Canonical() == *slow, "the canonical form is its own");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(canonical, writ::fuzz::Fuzz)
