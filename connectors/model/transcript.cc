#include "connectors/model/transcript.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::Said;
using router::ToolResult;
using router::TranscriptEntry;

void CompleteResults(CallsRound& round) {
  round.results.resize(
      round.reply.calls.size(),
      ToolResult{"", "", "Interrupted: the outcome of this call is unknown.", true});
  for (ToolResult& result : round.results) {
    if (IsBlank(result.text)) result.text = "(no output)";
  }
}

}  // namespace

bool IsSaidBy(const TranscriptEntry& entry, Said::Who who) {
  const auto* said = std::get_if<Said>(&entry);
  return said != nullptr && said->who == who;
}

bool IsBlank(std::string_view text) { return router::Trim(text).empty(); }

std::vector<TranscriptEntry> Sendable(std::vector<TranscriptEntry> transcript) {
  std::vector<TranscriptEntry> entries;
  for (TranscriptEntry& entry : transcript) {
    if (auto* round = std::get_if<CallsRound>(&entry)) {
      if (round->reply.calls.empty()) {
        entry = Said{Said::Who::kAgent, std::move(round->reply.text)};
      } else {
        CompleteResults(*round);
      }
    }
    const auto* said = std::get_if<Said>(&entry);
    if (said != nullptr && IsBlank(said->text)) continue;
    if (entries.empty() && !IsSaidBy(entry, Said::Who::kPeople)) {
      entries.emplace_back(Said{Said::Who::kPeople, "(The conversation began earlier.)"});
    }
    entries.push_back(std::move(entry));
  }
  if (entries.empty() || IsSaidBy(entries.back(), Said::Who::kAgent)) {
    entries.emplace_back(Said{Said::Who::kPeople, std::string(kGoOn)});
  }
  return entries;
}

}  // namespace writ::connectors
