#include "connectors/model/leave_out.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "connectors/model/transcript.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::ToolResult;
using router::TranscriptEntry;

// What stays of a long result: enough for what it begins with.
constexpr std::size_t kKeptOfResult = 4000;
constexpr std::size_t kLongResult = kKeptOfResult + 200;  // one that was cut is none any more

// Up to whole exchanges: an answer does not stay where its question went.
std::size_t CountToDrop(const router::ModelRequest& request, bool all_history) {
  const std::size_t older = std::min(request.older, request.transcript.size());
  if (all_history) return older;
  std::size_t count = (older + 1) / 2;
  while (count < older && IsSaidBy(request.transcript[count], router::Said::Who::kAgent)) ++count;
  return count;
}

bool Cut(ToolResult& result) {
  const std::size_t size = result.text.size();
  if (size <= kLongResult) return false;
  const std::string_view kept = router::CutAtCharacter(result.text, kKeptOfResult);
  result.text = std::string(kept) + "\n[cut: " + std::to_string(size - kept.size()) + " of " +
                std::to_string(size) + " bytes left out]";
  return true;
}

}  // namespace

std::optional<LeftOut> LeaveOutOldest(router::ModelRequest& request, bool all_history) {
  LeftOut left_out;
  left_out.entries = CountToDrop(request, all_history);
  if (left_out.entries > 0) {
    const auto begin = request.transcript.begin();
    request.transcript.erase(begin, begin + static_cast<std::ptrdiff_t>(left_out.entries));
    request.older -= left_out.entries;
    return left_out;
  }
  for (TranscriptEntry& entry : request.transcript) {
    auto* round = std::get_if<CallsRound>(&entry);
    if (round == nullptr) continue;
    left_out.results +=
        static_cast<std::size_t>(std::count_if(round->results.begin(), round->results.end(), Cut));
  }
  return left_out.results > 0 ? std::optional(left_out) : std::nullopt;
}

}  // namespace writ::connectors
