#include "store/redis/schema.h"

#include "store/event_states.h"
#include "store/redis/keys.h"
#include "store/redis/packing.h"

namespace writ::store {

namespace {

IndexEntry Marked(std::string index, std::string member) {
  return {std::move(index), std::move(member), /*marked=*/true, "", ""};
}

IndexEntry Unmarked(std::string index, std::string member) {
  return {std::move(index), std::move(member), /*marked=*/false, "", ""};
}

std::string RestOfPair(const Tables::Pair& key) { return Joined({key.first, key.second}); }

}  // namespace

std::string EventTable::RestOf(const Key& key) { return RestOfPair(key); }

std::string EventTable::Pack(const Row& row) {
  return PackedRow()
      .Add(row.row.app)
      .Add(row.row.key)
      .Add(row.row.message)
      .Add(Stored(row.row.state))
      .Add(row.row.received_at)
      .Add(row.row.doc)
      .Add(row.place)
      .Add(row.row.channel)
      .text();
}

EventTable::Row EventTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.row.app = fields.Text();
  row.row.key = fields.Text();
  row.row.message = fields.Text();
  row.row.state = StateOf(fields.Int());
  row.row.received_at = fields.Time();
  row.row.doc = fields.Text();
  row.place = fields.Int();
  row.row.channel = fields.Text();
  return row;
}

IndexEntries EventTable::EntriesOf(const Row& row) {
  const std::string member = Ordered(row.row.received_at) + Ordered(row.place) + RestOf(KeyOf(row));
  switch (row.row.state) {
    case EventRow::State::kWaiting:
      return {Unmarked("by:event_waiting", member),
              Unmarked(IndexName("by:event_of_channel", {row.row.app, row.row.channel}),
                       Ordered(row.place) + RestOf(KeyOf(row)))};
    case EventRow::State::kParked:
      return {Marked(IndexName("by:event_parked", {row.row.app, row.row.message}), member),
              Unmarked("by:event_over", member)};
    case EventRow::State::kDone:
      return {Unmarked("by:event_over", member)};
  }
  return {};
}

std::string SessionTable::Pack(const Row& row) {
  return PackedRow()
      .Add(row.id)
      .Add(row.app)
      .Add(row.agent)
      .Add(row.cid)
      .Add(row.owner)
      .Add(row.open)
      .Add(row.created_at)
      .Add(row.last_active_at)
      .Add(row.doc)
      .text();
}

SessionTable::Row SessionTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.id = fields.Text();
  row.app = fields.Text();
  row.agent = fields.Text();
  row.cid = fields.Text();
  row.owner = fields.Text();
  row.open = fields.Bool();
  row.created_at = fields.Time();
  row.last_active_at = fields.Time();
  row.doc = fields.Text();
  return row;
}

IndexEntries SessionTable::EntriesOf(const Row& row) {
  const std::string member = Ordered(row.created_at) + row.id;
  const std::string_view open = row.open ? "open" : "closed";
  IndexEntries entries = {
      Unmarked(IndexName("by:session", {open, row.app}), member),
      Unmarked(IndexName("by:session_of_cid", {open, row.app, row.cid}), member),
      Unmarked(IndexName("by:session_of_owner", {open, row.app, row.owner}), member)};
  if (!row.open) return entries;
  entries.push_back(Marked(IndexName("by:session_open", {row.app, row.agent, row.cid}), member));
  if (!row.cid.empty()) {
    entries.push_back(
        Unmarked(IndexName("by:session_active", {row.app}), Ordered(row.last_active_at) + row.id));
  }
  return entries;
}

std::string TurnTable::Pack(const Row& row) {
  return PackedRow()
      .Add(row.id)
      .Add(row.app)
      .Add(row.lane)
      .Add(row.session)
      .Add(row.message)
      .Add(row.client_id)
      .Add(row.line)
      .Add(row.line_at)
      .Add(row.ended)
      .Add(row.wake_at)
      .Add(row.created_at)
      .Add(row.doc)
      .Add(row.changed)
      .text();
}

TurnTable::Row TurnTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.id = fields.Text();
  row.app = fields.Text();
  row.lane = fields.Text();
  row.session = fields.Text();
  row.message = fields.Text();
  row.client_id = fields.Text();
  row.line = static_cast<int>(fields.Int());
  row.line_at = fields.Time();
  row.ended = fields.Bool();
  row.wake_at = fields.OptionalTime();
  row.created_at = fields.Time();
  row.doc = fields.Text();
  row.changed = fields.Int();
  return row;
}

IndexEntries TurnTable::EntriesOf(const Row& row) {
  const std::string member = Ordered(row.created_at) + row.id;
  IndexEntries entries = {
      Marked(IndexName("by:turn_of_session", {row.session}), member),
      Marked(IndexName("by:turn_changed", {row.session}), Ordered(row.changed) + row.id)};
  if (!row.message.empty()) {
    entries.push_back(Marked(IndexName("by:turn_of_message", {row.app, row.message}), member));
  }
  if (!row.client_id.empty()) {
    entries.push_back(Marked(IndexName("by:turn_of_client", {row.session, row.client_id}), row.id));
  }
  if (row.ended) return entries;
  entries.push_back(Marked(IndexName("by:turn_open_in_lane", {row.app, row.lane}), member));
  entries.push_back(Marked(IndexName("by:turn_open_in_session", {row.session}), member));
  if (row.line >= 0) {
    entries.push_back(Marked(IndexName("by:turn_in_line", {row.app, row.lane}),
                             Ordered(row.line) + Ordered(row.line_at) + row.id));
  }
  if (row.line == 1) entries.push_back(Unmarked(IndexName("by:turn_queued", {row.app}), row.id));
  if (row.wake_at) entries.push_back(Unmarked("by:turn_to_wake", Ordered(*row.wake_at) + row.id));
  return entries;
}

std::string ApprovalTable::Pack(const Row& row) {
  return PackedRow()
      .Add(row.id)
      .Add(row.run)
      .Add(row.call)
      .Add(row.app)
      .Add(row.lane)
      .Add(row.asked)
      .Add(row.status)
      .Add(row.consumed)
      .Add(row.created_at)
      .Add(row.expires_at)
      .Add(row.doc)
      .text();
}

ApprovalTable::Row ApprovalTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.id = fields.Text();
  row.run = fields.Text();
  row.call = fields.Text();
  row.app = fields.Text();
  row.lane = fields.Text();
  row.asked = fields.Text();
  row.status = static_cast<int>(fields.Int());
  row.consumed = fields.Bool();
  row.created_at = fields.Time();
  row.expires_at = fields.Time();
  row.doc = fields.Text();
  return row;
}

// With the status and without: a person's held calls are few among many that are over.
IndexEntries ApprovalTable::EntriesOf(const Row& row) {
  const std::string member = Ordered(row.created_at) + row.id;
  const std::string status = std::to_string(row.status);
  return {Marked(IndexName("by:approval_of_run", {row.run}), member),
          Unmarked(IndexName("by:approval", {row.app}), member),
          Unmarked(IndexName("by:approval_status", {status, row.app}), member),
          Unmarked(IndexName("by:approval_lane", {row.app, row.lane}), member),
          Unmarked(IndexName("by:approval_lane_status", {status, row.app, row.lane}), member),
          Unmarked(IndexName("by:approval_asked", {row.app, row.asked}), member),
          Unmarked(IndexName("by:approval_asked_status", {status, row.app, row.asked}), member)};
}

std::string ConsentTable::Pack(const Row& row) {
  return PackedRow()
      .Add(row.id)
      .Add(row.app)
      .Add(row.lane)
      .Add(row.user)
      .Add(row.created_at)
      .Add(row.expires_at)
      .Add(row.doc)
      .text();
}

ConsentTable::Row ConsentTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.id = fields.Text();
  row.app = fields.Text();
  row.lane = fields.Text();
  row.user = fields.Text();
  row.created_at = fields.Time();
  row.expires_at = fields.Time();
  row.doc = fields.Text();
  return row;
}

IndexEntries ConsentTable::EntriesOf(const Row& row) {
  return {Marked(IndexName("by:consent_of_lane", {row.app, row.lane}),
                 Ordered(row.created_at) + row.id),
          Unmarked("by:consent_end", Ordered(row.expires_at) + row.id)};
}

std::string BudgetTable::RestOf(const Key& key) { return RestOfPair(key); }

std::string BudgetTable::Pack(const Row& row) {
  return PackedRow().Add(row.app).Add(row.counter).Add(row.since).Add(row.used).text();
}

BudgetTable::Row BudgetTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.app = fields.Text();
  row.counter = fields.Text();
  row.since = fields.Time();
  row.used = fields.Int();
  return row;
}

IndexEntries BudgetTable::EntriesOf(const Row& row) {
  return {Unmarked("by:budget_since", Ordered(row.since) + RestOf(KeyOf(row)))};
}

std::string LaneTable::RestOf(const Key& key) { return RestOfPair(key); }

std::string LaneTable::Pack(const Row& row) {
  return PackedRow().Add(row.app).Add(row.lane).Add(row.holder).Add(row.told_full).text();
}

LaneTable::Row LaneTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.app = fields.Text();
  row.lane = fields.Text();
  row.holder = fields.Text();
  row.told_full = fields.Bool();
  return row;
}

std::string WorkTable::RestOf(const Key& key) { return RestOfPair(key); }

std::string WorkTable::Pack(const Row& row) {
  return PackedRow()
      .Add(row.turn)
      .Add(row.call)
      .Add(row.app)
      .Add(row.node)
      .Add(row.fence)
      .Add(row.claims)
      .Add(row.due_at)
      .text();
}

WorkTable::Row WorkTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.turn = fields.Text();
  row.call = fields.Text();
  row.app = fields.Text();
  row.node = fields.Text();
  row.fence = fields.Int();
  row.claims = static_cast<int>(fields.Int());
  row.due_at = fields.Time();
  return row;
}

IndexEntries WorkTable::EntriesOf(const Row& row) {
  const std::string rest = RestOf(KeyOf(row));
  return {
      Marked(IndexName("by:work_of_turn", {row.turn}), rest),
      {"by:work_due:" + row.node, Ordered(row.due_at) + rest, false, "by:work_nodes", row.node}};
}

std::string OutboxTable::Pack(const Row& row) {
  return PackedRow()
      .Add(row.id)
      .Add(row.queue)
      .Add(row.app)
      .Add(row.lane)
      .Add(row.turn)
      .Add(row.doc)
      .Add(row.wanted)
      .Add(row.shown)
      .Add(row.sequence)
      .Add(row.due)
      .Add(row.due_at)
      .Add(row.attempts)
      .Add(row.failing_since)
      .Add(row.node)
      .text();
}

OutboxTable::Row OutboxTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.id = fields.Text();
  row.queue = fields.Text();
  row.app = fields.Text();
  row.lane = fields.Text();
  row.turn = fields.Text();
  row.doc = fields.Text();
  row.wanted = fields.Int();
  row.shown = fields.Int();
  row.sequence = fields.Int();
  row.due = fields.Bool();
  row.due_at = fields.Time();
  row.attempts = static_cast<int>(fields.Int());
  row.failing_since = fields.OptionalTime();
  row.node = fields.Text();
  return row;
}

IndexEntries OutboxTable::EntriesOf(const Row& row) {
  if (!row.due) return {};
  return {Marked(IndexName("by:outbox_due", {row.app, row.lane}), Ordered(row.sequence) + row.id)};
}

IndexEntry OutboxTable::FirstEntryOf(const Row& row) {
  return {IndexName("by:outbox_first", {row.queue, row.node}),
          Ordered(row.due_at) + Ordered(row.sequence) + row.id, false,
          "by:outbox_nodes:" + row.queue, row.node};
}

std::string AuditTable::RestOf(const Key& key) { return Ordered(key); }

std::string AuditTable::Pack(const Row& row) {
  return PackedRow().Add(row.app).Add(row.doc).Add(row.seal).Add(row.mac).Add(row.aside).text();
}

AuditTable::Row AuditTable::Unpack(std::string_view text, std::string_view rest) {
  UnpackedRow fields(text);
  Row row;
  row.place = OrderedNumber(rest);
  row.app = fields.Text();
  row.doc = fields.Text();
  row.seal = fields.Int();
  row.mac = fields.Text();
  row.aside = fields.Text();
  return row;
}

IndexEntries AuditTable::EntriesOf(const Row& row) {
  // Not marked: what comes meanwhile comes behind, and who seals holds its chain's row.
  if (row.seal == 0) {
    return {Unmarked(IndexName("by:audit_unsealed", {row.app}), Ordered(row.place))};
  }
  return {
      Unmarked(IndexName("by:audit_sealed", {row.app}), Ordered(row.seal) + Ordered(row.place))};
}

std::string AuditChainTable::Pack(const Row& row) {
  return PackedRow().Add(row.app).Add(row.seal).Add(row.mac).Add(row.checkpoint).text();
}

AuditChainTable::Row AuditChainTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  UnpackedRow fields(text);
  Row row;
  row.app = fields.Text();
  row.seal = fields.Int();
  row.mac = fields.Text();
  row.checkpoint = fields.Text();
  return row;
}

std::string AuditNumberTable::Pack(const Row& row) { return PackedRow().Add(row).text(); }

AuditNumberTable::Row AuditNumberTable::Unpack(std::string_view text, std::string_view /*rest*/) {
  return UnpackedRow(text).Int();
}

}  // namespace writ::store
