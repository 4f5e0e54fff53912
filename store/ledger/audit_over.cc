#include "store/ledger/audit_over.h"

#include <string_view>
#include <vector>

#include "router/base/failure.h"

namespace writ::store {

using router::AppId;
using router::AuditHead;
using router::Failure;
using router::Json;
using router::TimePoint;

namespace {

// A lane of its own: heads are in order, and no session's events wait for them.
constexpr std::string_view kHeadLane = "audit";

AuditHead HeadOf(const AuditChainRow& chain) { return {AppId(chain.app), chain.seal, chain.mac}; }

bool WasWrittenBefore(const AuditRow& row, TimePoint before) {
  const router::JsonParsed parsed = router::ParseJson(row.doc);
  const auto at = parsed.value ? router::ParseTime(parsed.value->TextAt("at")) : std::nullopt;
  return at && *at < before;
}

// Somebody else wrote the chain's end in the meantime: their seals stand.
void SaveChain(Records& records, const AuditChainRow& chain, std::int64_t if_seal) {
  if (records.SaveAuditChain(chain, if_seal)) return;
  throw Failure(Failure::Kind::kTransient, "audit: another node sealed at the same moment");
}

}  // namespace

std::optional<AuditHead> AuditOver::SealEntries(const AppId& app, std::size_t limit,
                                                TimePoint now) {
  bool any = false;
  // Mostly there is none, and a read costs no commit.
  engine_.Read([&](Records& records) { any = !records.UnsealedAudit(app.text(), 1).empty(); });
  if (!any) return std::nullopt;
  std::optional<AuditHead> head;
  engine_.Commit([&](Records& records) {
    head.reset();
    const std::vector<AuditRow> rows = records.UnsealedAudit(app.text(), limit);
    if (rows.empty()) return;
    AuditChainRow chain = records.FindAuditChain(app.text());
    const std::int64_t last = chain.seal;
    for (const AuditRow& row : rows) {
      ++chain.seal;
      chain.mac = router::SealOf(secret_, app, chain.seal, chain.mac, row.doc);
      records.SealAudit(row.place, chain.seal, chain.mac);
    }
    SaveChain(records, chain, last);
    head = HeadOf(chain);
    PublishHead(records, *head, rows.size(), now);
  });
  return head;
}

void AuditOver::PublishHead(Records& records, const AuditHead& head, std::size_t entries,
                            TimePoint now) const {
  const auto telling = telling_.find(head.app);
  if (telling == telling_.end() || !telling->second.events) return;
  const std::string text = TextOf(head);
  Json data = Json::MakeObject({{"head", text},
                                {"seal", head.seal},
                                {"mac", head.mac},
                                {"new_entries", static_cast<std::int64_t>(entries)}});
  SaveEvent(records, head.app, kHeadLane,
            router::MakeEvent("audit.head", text, head.app, {}, std::move(data), now), now);
}

std::size_t AuditOver::RemoveEntries(const AppId& app, TimePoint before, std::size_t limit,
                                     TimePoint now) {
  const auto old_ones = [&](Records& records) {
    std::vector<AuditRow> rows = records.SealedAudit(app.text(), 0, limit);
    std::size_t count = 0;
    while (count < rows.size() && WasWrittenBefore(rows[count], before)) ++count;
    rows.resize(count);
    return rows;
  };
  std::size_t removed = 0;
  engine_.Read([&](Records& records) { removed = old_ones(records).size(); });
  if (removed == 0) return 0;
  engine_.Commit([&](Records& records) {
    const std::vector<AuditRow> rows = old_ones(records);
    removed = rows.size();
    if (rows.empty()) return;
    const AuditRow& last = rows.back();
    AuditChainRow chain = records.FindAuditChain(app.text());
    chain.checkpoint = router::MakeCheckpoint(secret_, {app, last.seal, last.mac}, now).Dump();
    SaveChain(records, chain, chain.seal);
    records.DeleteAuditThrough(app.text(), last.seal);
  });
  return removed;
}

AuditOver::Page AuditOver::ReadEntries(const AppId& app, std::int64_t after, std::size_t limit) {
  Page page;
  engine_.Read([&](Records& records) {
    page = {};
    const AuditChainRow chain = records.FindAuditChain(app.text());
    if (chain.seal > 0) page.head = HeadOf(chain);
    if (!chain.checkpoint.empty()) page.checkpoint = router::ParseJson(chain.checkpoint).value;
    for (AuditRow& row : records.SealedAudit(app.text(), after, limit)) {
      page.entries.push_back(
          {row.seal, std::move(row.mac), std::move(row.doc), std::move(row.aside)});
    }
    if (page.entries.size() == limit) return;
    for (AuditRow& row : records.UnsealedAudit(app.text(), limit - page.entries.size())) {
      page.entries.push_back({0, "", std::move(row.doc), std::move(row.aside)});
    }
  });
  return page;
}

}  // namespace writ::store
