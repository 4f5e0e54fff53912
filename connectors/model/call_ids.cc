#include "connectors/model/call_ids.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <variant>

namespace writ::connectors {
namespace {

// Nine letters and digits: the form that the strictest chat templates (Mistral's) ask for.
std::string MadeId(std::size_t number) {
  std::string digits = std::to_string(number);
  return "w" + std::string(8 - std::min<std::size_t>(8, digits.size()), '0') + digits;
}

}  // namespace

std::vector<std::vector<std::string>> CallIdsOf(
    const std::vector<router::TranscriptEntry>& transcript) {
  std::set<std::string> theirs;
  for (const auto& entry : transcript) {
    if (const auto* round = std::get_if<router::CallsRound>(&entry)) {
      for (const auto& call : round->reply.calls) theirs.insert(call.provider_id);
    }
  }
  std::set<std::string> used{""};
  std::size_t made = 0;
  std::vector<std::vector<std::string>> ids;
  for (const auto& entry : transcript) {
    const auto* round = std::get_if<router::CallsRound>(&entry);
    if (round == nullptr) continue;
    std::vector<std::string>& of_round = ids.emplace_back();
    for (const auto& call : round->reply.calls) {
      std::string id = call.provider_id;
      if (!used.insert(id).second) {
        do {
          id = MadeId(++made);
        } while (theirs.contains(id) || !used.insert(id).second);
      }
      of_round.push_back(std::move(id));
    }
  }
  return ids;
}

std::string NameForHistory(const std::string& offered_name) {
  std::string name = offered_name.substr(0, 64);
  std::replace_if(
      name.begin(), name.end(),
      [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '_' || c == '-');
      },
      '_');
  return name.empty() ? "unnamed" : name;
}

}  // namespace writ::connectors
