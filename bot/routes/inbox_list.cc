#include "bot/routes/inbox_list.h"

#include <algorithm>
#include <array>
#include <utility>

#include "bot/http/fields.h"
#include "bot/http/header_text.h"
#include "bot/routes/cursor.h"

namespace writ::bot {

using router::ApprovalRecord;

namespace {

constexpr std::int64_t kMostListed = 100;  // each has a turn and a schema with it
constexpr std::int64_t kListed = 50;
constexpr std::size_t kLookedThrough = 2000;

bool Has(const std::string& text, const std::string& lower_part) {
  return LowerAscii(text).find(lower_part) != std::string::npos;
}

bool Fits(const InboxCall& call, const std::string& tool, const std::string& text) {
  const ApprovalRecord& record = call.record;
  if (!Has(record.tool, tool)) return false;
  if (text.empty()) return true;
  const std::array<const std::string*, 6> of_record{&record.id.text(),  &record.call.text(),
                                                    &record.cid.text(), &record.asked.text(),
                                                    &record.arguments,  &record.tool};
  const auto has = [&](const std::string* one) { return Has(*one, text); };
  if (std::ranges::any_of(of_record, has)) return true;
  return call.turn && (Has(call.turn->text, text) || Has(call.turn->author_name, text));
}

}  // namespace

std::variant<InboxWanted, Problem> ReadInboxWanted(const ApiCall& call, const Request& request) {
  QueryReader query(request);
  InboxWanted wanted;
  if (call.IsBackend()) {
    if (const auto status = query.OptionalOneOf(
            "status", {"pending", "approved", "denied", "expired", "cancelled"})) {
      wanted.page.status = router::ApprovalStatusOf(*status);
    }
    wanted.page.lane = query.OptionalText("cid", 300);
    if (auto asked = query.OptionalText("asked")) wanted.page.asked = router::UserId(*asked);
    wanted.tool = LowerAscii(query.OptionalText("tool").value_or(""));
    wanted.text = LowerAscii(query.OptionalText("text").value_or(""));
  } else {
    wanted.page.status = router::ApprovalStatus::kPending;
    wanted.page.asked = call.User();
  }
  wanted.page.limit = static_cast<std::size_t>(query.Integer("limit", 1, kMostListed, kListed));
  if (const auto text = query.OptionalText("cursor")) {
    if (auto cursor = ReadCursor(*text)) {
      wanted.page.before_at = cursor->at;
      wanted.page.before_id = router::ApprovalId(std::move(cursor->id));
    } else {
      query.Fault("cursor", "is no cursor of this list");
    }
  }
  if (auto problem = query.Finish()) return *std::move(problem);
  return wanted;
}

InboxPage FindInboxCalls(const Api& api, const router::AppId& app, const InboxWanted& wanted) {
  InboxPage found;
  const bool searches = !wanted.tool.empty() || !wanted.text.empty();
  router::ApprovalPage page = wanted.page;
  page.limit = searches ? kLookedThrough : wanted.page.limit + 1;
  std::vector<ApprovalRecord> records = api.ports.approvals.List(app, page);
  const bool all = records.size() < page.limit;
  const ApprovalRecord* last = nullptr;  // that was looked at
  for (ApprovalRecord& record : records) {
    if (found.calls.size() == wanted.page.limit) {
      found.next_cursor = WriteCursor({last->created_at, last->id.text()});
      return found;
    }
    last = &record;
    InboxCall call{record, api.ports.approvals.TurnOf(record)};
    if (!searches || Fits(call, wanted.tool, wanted.text)) found.calls.push_back(std::move(call));
  }
  if (!all && last != nullptr) {
    found.next_cursor = WriteCursor({last->created_at, last->id.text()});
  }
  return found;
}

}  // namespace writ::bot
