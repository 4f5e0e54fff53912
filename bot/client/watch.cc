#include "bot/client/watch.h"

#include <algorithm>
#include <utility>

namespace writ::bot {

using router::Json;

namespace {

constexpr std::string_view kPending = "pending";

std::string SeenOf(const Json& approval) {
  const bool consumed = approval.BoolAt("consumed").value_or(false);
  return approval.TextAt("status") + (consumed ? " consumed" : "");
}

}  // namespace

std::vector<Json> Watch::Changed(const Json::Array& page) {
  std::vector<Json> changed;
  for (auto approval = page.rbegin(); approval != page.rend(); ++approval) {
    std::string seen = SeenOf(*approval);
    std::string& before = seen_[approval->TextAt("approval_id")];
    if (before == seen) continue;
    before = std::move(seen);
    changed.push_back(*approval);
  }
  return changed;
}

std::vector<std::string> Watch::Missing(const Json::Array& page) const {
  std::vector<std::string> missing;
  for (const auto& [id, seen] : seen_) {
    const bool there = std::ranges::any_of(
        page, [&](const Json& approval) { return approval.TextAt("approval_id") == id; });
    if (seen == kPending && !there) missing.push_back(id);
  }
  return missing;
}

}  // namespace writ::bot
