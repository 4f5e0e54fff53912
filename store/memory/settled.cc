#include "store/memory/settled.h"

#include <string>
#include <tuple>
#include <vector>

#include "router/base/time.h"

namespace writ::store {

namespace {

// Whether `index` has an entry that begins with `first`.
template <class Index>
bool HasEntryOf(const Index& index, const std::string& first) {
  typename Index::Entry from{};
  std::get<0>(from) = first;
  const auto found = index.entries().lower_bound(from);
  return found != index.entries().end() && std::get<0>(*found) == first;
}

bool HasWork(const Tables& tables, const std::string& turn) {
  const auto found = tables.work.rows().lower_bound({turn, ""});
  return found != tables.work.rows().end() && found->first.first == turn;
}

std::vector<std::string> FacesOf(const Tables& tables, const std::string& turn) {
  std::vector<std::string> faces;
  const auto& entries = tables.outbox_of_turn.entries();
  for (auto at = entries.lower_bound({turn, ""}); at != entries.end(); ++at) {
    if (std::get<0>(*at) != turn) break;
    faces.push_back(std::get<1>(*at));
  }
  return faces;
}

bool IsTurnSettled(const Tables& tables, const std::string& turn) {
  if (HasWork(tables, turn)) return false;
  for (const std::string& face : FacesOf(tables, turn)) {
    if (tables.outbox.Find(face)->due) return false;
  }
  return true;
}

bool IsApprovalSettled(const Tables& tables, const std::string& id) {
  const TurnRow* turn = tables.turns.Find(tables.approvals.Find(id)->run);
  return turn == nullptr || turn->ended;
}

// The oldest `count` of the index's keys that `is_settled` accepts.
template <class Index, class Accepts>
auto Oldest(const Index& index, std::size_t count, const Accepts& is_settled) {
  using Key =
      std::tuple_element_t<std::tuple_size_v<typename Index::Entry> - 1, typename Index::Entry>;
  std::vector<Key> keys;
  for (const auto& entry : index.entries()) {
    if (keys.size() >= count) break;
    const Key& key = std::get<std::tuple_size_v<typename Index::Entry> - 1>(entry);
    if (is_settled(key)) keys.push_back(key);
  }
  return keys;
}

std::size_t Excess(std::size_t size, std::size_t max) { return size > max ? size - max : 0; }

}  // namespace

void DropSettled(Tables& tables, std::size_t max) {
  for (const auto& key : Oldest(
           tables.events_over, Excess(tables.events.size(), max), [&](const Tables::Pair& event) {
             return tables.events.Find(event)->row.state == EventRow::State::kDone;
           })) {
    tables.events.Erase(key);
  }
  for (const auto& id :
       Oldest(tables.turns_ended, Excess(tables.turns.size(), max),
              [&](const std::string& turn) { return IsTurnSettled(tables, turn); })) {
    for (const std::string& face : FacesOf(tables, id)) tables.outbox.Erase(face);
    tables.turns.Erase(id);
  }
  for (const auto& id :
       Oldest(tables.approvals_settled, Excess(tables.approvals.size(), max),
              [&](const std::string& approval) { return IsApprovalSettled(tables, approval); })) {
    tables.approvals.Erase(id);
  }
  for (const auto& id : Oldest(tables.sessions_closed, Excess(tables.sessions.size(), max),
                               [&](const std::string& session) {
                                 return !HasEntryOf(tables.turns_open_in_session, session);
                               })) {
    tables.sessions.Erase(id);
  }
}

}  // namespace writ::store
