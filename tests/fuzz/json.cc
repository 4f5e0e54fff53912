// JSON with its limits, and what makes text of others fit to be read.
#include "router/base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "router/base/ill_formed_json.h"
#include "router/base/text.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using router::Json;

std::size_t DepthOf(const Json& value) {
  std::size_t deepest = 0;
  if (value.IsArray()) {
    for (const Json& element : value.array()) deepest = std::max(deepest, DepthOf(element));
  } else if (value.IsObject()) {
    for (const auto& member : value.object()) deepest = std::max(deepest, DepthOf(member.value));
  } else {
    return 0;
  }
  return deepest + 1;
}

// Another reader of the same grammar. Its numbers are long doubles, so that only those beyond our
// own limit are too large for it, too.
using Other = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t,
                                   std::uint64_t, long double>;

bool SaysTheSame(const Json& ours, const Other& other) {
  switch (ours.kind()) {
    case Json::Kind::kNull:
      return other.is_null();
    case Json::Kind::kBool:
      return other.is_boolean() && other.get<bool>() == ours.boolean();
    case Json::Kind::kNumber:  // their texts are what the target `canonical` is about
      return other.is_number();
    case Json::Kind::kString:
      return other.is_string() && other.get_ref<const std::string&>() == ours.string();
    case Json::Kind::kArray:
      return other.is_array() && std::ranges::equal(ours.array(), other, SaysTheSame);
    case Json::Kind::kObject:
      return other.is_object() && ours.object().size() == other.size() &&
             std::ranges::all_of(ours.object(), [&](const auto& member) {
               const auto found = other.find(member.key);
               return found != other.end() && SaysTheSame(member.value, *found);
             });
  }
  return false;
}

void CheckAgainstOther(std::string_view text, const router::JsonParsed& parsed) {
  if (text.find('\0') != std::string_view::npos) return;  // the end of the text, for the other
  if (parsed.value) {
    const auto other = Other::parse(text, nullptr, false);
    Require(!other.is_discarded() && SaysTheSame(*parsed.value, other),
            "two readers read the same");
  } else if (parsed.fault.starts_with("not JSON")) {
    Require(!Other::accept(text), "what is said to be no JSON is none to another reader");
  }
}

void CheckParsed(std::string_view text, const Json& value) {
  Require(router::IsUtf8(text), "what is read is UTF-8");
  Require(DepthOf(value) <= router::JsonLimits{}.max_depth, "no more levels than the limit");
  const auto shallow = router::ParseJson(text, {.max_depth = 4});
  Require(shallow.value.has_value() == (DepthOf(value) <= 4), "a limit is met to the level");

  const std::string printed = value.Dump();
  const auto again = router::ParseJson(printed);
  Require(again.value && *again.value == value, "what is printed reads as the same");
  Require(again.value->Dump() == printed, "printing is stable");
  Require(value.Canonical() == again.value->Canonical(), "one value has one canonical form");
  Require(router::WithoutIllFormed(text) == text, "what is well-formed is left alone");
}

void Fuzz(std::string_view input) {
  const auto parsed = router::ParseJson(input);
  if (parsed.value) {
    CheckParsed(input, *parsed.value);
  } else {
    Require(!parsed.fault.empty(), "a refusal says why");
  }
  CheckAgainstOther(input, parsed);
  const std::string mended = router::WithoutIllFormed(input);
  Require(router::IsUtf8(mended), "what was mended is UTF-8");
  Require(router::WithoutIllFormed(mended) == mended, "mending is done once");

  Json text = Json::MakeObject();
  text.Set(input, input);
  const auto printed = router::ParseJson(text.Dump());
  Require(printed.value.has_value(), "whatever the text, what is printed is JSON");
  if (router::IsUtf8(input)) Require(*printed.value == text, "text is printed as it was");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(json, writ::fuzz::Fuzz)
