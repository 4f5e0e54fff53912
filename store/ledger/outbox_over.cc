#include "store/ledger/outbox_over.h"

#include <utility>

#include "router/base/failure.h"
#include "store/ledger/notice.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

using router::Delivery;
using router::TimePoint;

namespace {

constexpr std::string_view kChannels;  // their queue
constexpr std::int64_t kNotPosted = -1;

// nullopt: it can't be read, and there is no message of it that would have to say so.
std::optional<router::Turn> TurnOf(Records& records, const TurnRow& row, bool is_posted) {
  try {
    return TurnRows::Read(records, row);
  } catch (const router::Failure&) {
    if (!row.ended || !is_posted) return std::nullopt;
    return TurnRows::ReadBuried(records, row);
  }
}

// The turn's message, or the notice, as it stands now. nullopt where its row can't be read.
std::optional<Delivery> DeliveryOf(Records& records, const OutboxRow& row) {
  Delivery delivery;
  delivery.id = row.id;
  delivery.app = router::AppId(row.app);
  delivery.revision = row.wanted;
  delivery.posted = row.shown != kNotPosted;
  delivery.attempts = row.attempts;
  delivery.maybe_there = row.attempts > 0 || !row.node.empty();
  delivery.failing_since = row.failing_since;
  delivery.tried_since = row.failing_since.value_or(row.due_at);
  try {
    if (row.turn.empty()) {
      NoticeContent notice = NoticeFromText(row.doc);
      delivery.agent = notice.agent;
      delivery.cid = notice.cid;
      delivery.thread = notice.thread;
      delivery.notice = std::move(notice.text);
      delivery.language = std::move(notice.language);
      return delivery;
    }
    const auto turn_row = records.FindTurn(row.turn);
    if (!turn_row) return std::nullopt;
    delivery.turn = TurnOf(records, *turn_row, delivery.posted);
    if (!delivery.turn) return std::nullopt;
    delivery.memo = row.doc;
  } catch (const router::Failure&) {
    return std::nullopt;
  }
  delivery.agent = delivery.turn->agent;
  delivery.cid = delivery.turn->cid;
  delivery.thread = delivery.turn->thread;
  return delivery;
}

// A node that slept has shown a face, after another one took the delivery over: maybe over a newer
// one. The newest is shown once more, by whoever comes first; where that one's report is late, too,
// once more again.
void ShowAgain(Records& records, std::optional<OutboxRow> row, const Delivery& delivery,
               TimePoint now) {
  if (!delivery.turn) return;  // a notice has one face
  if (!row) {
    const auto turn = records.FindTurn(delivery.turn->id.text());
    if (!turn) return;
    row = OutboxRow{};
    row->id = delivery.id;
    row->app = turn->app;
    row->lane = turn->lane;
    row->turn = turn->id;
    row->wanted = TurnRows::Read(records, *turn).revision;
    if (row->wanted == delivery.revision) return;
  }
  const bool new_place = !row->due;
  row->shown = delivery.revision;
  row->due = true;
  row->due_at = now;
  row->node.clear();
  records.SaveOutbox(*row, new_place);
}

}  // namespace

std::vector<Delivery> OutboxOver::ClaimDeliveries(const router::NodeId& node, std::size_t limit,
                                                  TimePoint now) {
  std::vector<Delivery> deliveries;
  engine_.Commit([&](Records& records) {
    deliveries.clear();
    for (OutboxRow& row : records.DeliverableOutbox(kChannels, now, limit)) {
      if (row.node.empty()) row.due_at = now;  // taken over from a dead node: since its claim
      auto delivery = DeliveryOf(records, row);
      if (!delivery) {
        records.DeleteOutbox(row.id);
        continue;
      }
      row.node = node.text();
      delivery->node = node;
      records.SaveOutbox(row, false);
      deliveries.push_back(*std::move(delivery));
    }
  });
  return deliveries;
}

void OutboxOver::Delivered(const Delivery& delivery, TimePoint now) {
  engine_.Commit([&](Records& records) {
    auto row = records.FindOutbox(delivery.id);
    if (!row || row->node != delivery.node.text()) {
      ShowAgain(records, std::move(row), delivery, now);
      return;
    }
    const bool newest = row->wanted == delivery.revision;
    if (newest && (!delivery.turn || HasEnded(delivery.turn->state))) {
      records.DeleteOutbox(delivery.id);  // its last face is shown
      return;
    }
    row->shown = delivery.revision;
    if (delivery.turn) row->doc = delivery.memo;
    row->due = !newest;
    row->due_at = now;
    row->attempts = 0;
    row->failing_since.reset();
    row->node.clear();
    records.SaveOutbox(*row, row->due);
  });
}

void OutboxOver::Postpone(const Delivery& delivery, TimePoint due_at) {
  engine_.Commit([&](Records& records) {
    auto row = records.FindOutbox(delivery.id);
    if (!row || row->node != delivery.node.text()) return;  // another node's by now
    if (delivery.posted && row->shown == kNotPosted) row->shown = 0;
    if (delivery.turn) row->doc = delivery.memo;
    row->due_at = due_at;
    row->attempts = delivery.attempts + 1;
    if (!row->failing_since) row->failing_since = delivery.tried_since;
    row->node.clear();
    records.SaveOutbox(*row, false);
  });
}

void OutboxOver::GiveUp(const Delivery& delivery) {
  engine_.Commit([&](Records& records) {
    const auto row = records.FindOutbox(delivery.id);
    if (row && row->node == delivery.node.text()) records.DeleteOutbox(delivery.id);
  });
}

std::optional<TimePoint> OutboxOver::NextDelivery() {
  std::optional<TimePoint> next;
  engine_.Read([&](Records& records) { next = records.FirstDelivery(kChannels); });
  return next;
}

}  // namespace writ::store
