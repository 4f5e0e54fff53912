#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "store/memory/table.h"
#include "store/redis/schema.h"

namespace writ::store {

// What a transaction knows of one table: rows as the store has them, and as the transaction has
// made them, which is what a Table in memory has.
template <class T>
class HeldRows {
 public:
  using Key = typename T::Key;
  using Row = typename T::Row;
  using Now = Table<Key, Row>;

  // `now` outlives it.
  explicit HeldRows(Now& now) : now_(now) {}

  [[nodiscard]] bool Knows(const Key& key) const { return stored_.contains(key); }
  [[nodiscard]] bool IsChanged(const Key& key) const { return changed_.contains(key); }
  [[nodiscard]] const std::set<Key>& changed() const { return changed_; }

  // What the store has; nullopt: no such row.
  void Learn(const Key& key, std::optional<Row> row) {
    const auto [at, is_new] = stored_.emplace(key, std::move(row));
    if (is_new && at->second && !IsChanged(key)) now_.Put(key, *at->second);
  }
  // The row was put into the table, or erased there, by the transaction.
  void Change(const Key& key) { changed_.insert(key); }

  // As the store has it; of one that is known.
  [[nodiscard]] const std::optional<Row>& Stored(const Key& key) const { return stored_.at(key); }
  // As it is now; of one that is known or changed.
  [[nodiscard]] const Row* Current(const Key& key) const { return now_.Find(key); }

 private:
  Now& now_;
  std::map<Key, std::optional<Row>> stored_;
  std::set<Key> changed_;
};

}  // namespace writ::store
