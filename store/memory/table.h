#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace writ::store {

// What a transaction did, backwards: run from its end, it takes everything back.
class UndoLog {
 public:
  void Add(std::function<void()> step) { steps_.push_back(std::move(step)); }
  void Forget() { steps_.clear(); }
  void RollBack() {
    while (!steps_.empty()) {
      steps_.back()();
      steps_.pop_back();
    }
  }

 private:
  std::vector<std::function<void()>> steps_;
};

template <class Row>
class IndexOf {
 public:
  virtual ~IndexOf() = default;
  virtual void Add(const Row& row) = 0;
  virtual void Remove(const Row& row) = 0;
};

// An ordered set of tuples, one for each row that has a place in it. A tuple ends with the row's
// key, so that it names the row and no two rows share one.
template <class Row, class... Fields>
class Index final : public IndexOf<Row> {
 public:
  using Entry = std::tuple<Fields...>;
  using EntryOf = std::function<std::optional<Entry>(const Row&)>;

  explicit Index(EntryOf entry_of) : entry_of_(std::move(entry_of)) {}

  void Add(const Row& row) override {
    if (auto entry = entry_of_(row)) entries_.insert(*std::move(entry));
  }
  void Remove(const Row& row) override {
    if (const auto entry = entry_of_(row)) entries_.erase(*entry);
  }
  [[nodiscard]] const std::set<Entry>& entries() const { return entries_; }

 private:
  EntryOf entry_of_;
  std::set<Entry> entries_;
};

// Rows by their key, the indexes over them kept in step, every change written to the undo log.
template <class Key, class Row>
class Table {
 public:
  // Both outlive the table.
  Table(UndoLog& undo, std::vector<IndexOf<Row>*> indexes)
      : undo_(undo), indexes_(std::move(indexes)) {}

  [[nodiscard]] const Row* Find(const Key& key) const {
    const auto found = rows_.find(key);
    return found == rows_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const std::map<Key, Row>& rows() const { return rows_; }

  void Put(const Key& key, const Row& row) { Change(key, row); }
  void Erase(const Key& key) {
    if (rows_.contains(key)) Change(key, std::nullopt);
  }

 private:
  void Change(const Key& key, const std::optional<Row>& row) {
    undo_.Add([this, key, before = Set(key, row)] { Set(key, before); });
  }

  // The row that was there before.
  std::optional<Row> Set(const Key& key, const std::optional<Row>& row) {
    std::optional<Row> before;
    if (const auto found = rows_.find(key); found != rows_.end()) {
      for (IndexOf<Row>* index : indexes_) index->Remove(found->second);
      before = std::move(found->second);
      rows_.erase(found);
    }
    if (row) {
      for (IndexOf<Row>* index : indexes_) index->Add(*row);
      rows_.emplace(key, *row);
    }
    return before;
  }

  UndoLog& undo_;
  std::vector<IndexOf<Row>*> indexes_;
  std::map<Key, Row> rows_;
};

}  // namespace writ::store
