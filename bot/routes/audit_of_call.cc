#include "bot/routes/audit_of_call.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include "router/base/json.h"

namespace writ::bot {
namespace {

using router::AuditEntry;
using router::AuditLedger;
using router::Json;
using router::TimePoint;

constexpr std::size_t kEntriesAtOnce = 500;
constexpr int kMostPages = 40;
// Nodes seal one another's entries, and their clocks differ.
constexpr std::chrono::minutes kEarlier{2};

// The seal behind which the log's entries are of that time or later, to some entries: seals grow
// with time.
std::int64_t SealBefore(AuditLedger& audit, const router::AppId& app, std::int64_t last,
                        TimePoint time) {
  std::int64_t low = 0;
  std::int64_t high = last;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const auto page = audit.ReadEntries(app, middle, 1);
    const auto entry =
        page.entries.empty() ? std::nullopt : router::ParseJson(page.entries.front().text).value;
    const auto at = entry ? router::ParseTime(entry->TextAt("at")) : std::nullopt;
    if (at && *at < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Nothing of the call comes behind it, but a late report.
bool IsEnd(const Json& entry) {
  constexpr std::array<std::string_view, 4> kEnds{"finished", "refused", "expired", "cancelled"};
  const std::string type = entry.TextAt("type");
  if (type == "decided") return entry.BoolAt("approved") == false;
  return std::ranges::find(kEnds, type) != kEnds.end();
}

}  // namespace

AuditOfCall ReadAuditOfCall(AuditLedger& audit, const router::ApprovalRecord& record) {
  AuditOfCall found;
  found.head = audit.ReadEntries(record.app, 0, 1).head;
  std::int64_t after = SealBefore(audit, record.app, found.head ? found.head->seal : 0,
                                  record.created_at - kEarlier);
  for (int pages = 0; pages < kMostPages && !found.complete; ++pages) {
    auto page = audit.ReadEntries(record.app, after, kEntriesAtOnce);
    for (AuditEntry& entry : page.entries) {
      if (entry.seal > 0) after = entry.seal;
      if (entry.text.find(record.call.text()) == std::string::npos) continue;
      const auto json = router::ParseJson(entry.text).value;
      if (!json || json->TextAt("call_id") != record.call.text()) continue;
      found.complete = found.complete || IsEnd(*json);
      found.entries.push_back(std::move(entry));
    }
    // Those that are not sealed yet stand behind the sealed ones, all of them in one page or cut.
    if (page.entries.size() < kEntriesAtOnce) found.complete = true;
    if (!page.entries.empty() && page.entries.back().seal == 0) break;
  }
  return found;
}

}  // namespace writ::bot
