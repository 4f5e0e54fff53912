#include "bot/client/watch.h"

#include <algorithm>
#include <set>
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
  for (const Json& approval : page) {
    std::string seen = SeenOf(approval);
    std::string& before = seen_[approval.TextAt("approval_id")];
    if (before == seen) continue;
    before = std::move(seen);
    changed.push_back(approval);
  }
  std::ranges::reverse(changed);
  return changed;
}

std::vector<std::string> Watch::Missing(const Json::Array& page) const {
  std::set<std::string> there;
  for (const Json& approval : page) there.insert(approval.TextAt("approval_id"));
  std::vector<std::string> missing;
  for (const auto& [id, seen] : seen_) {
    if (seen == kPending && !there.contains(id)) missing.push_back(id);
  }
  return missing;
}

}  // namespace writ::bot
