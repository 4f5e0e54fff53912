#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/memory/tables.h"
#include "store/records.h"

namespace writ::store {

// How each kind of row is named, written as one text, and found again. An index is a sorted set
// whose members stand in the order of their bytes: what orders them, then the rest of the row's
// name. README.md lists all of them.

// A row's place in an index.
struct IndexEntry {
  std::string index;
  std::string member;
  // Whether who reads the index is to know that nothing came or went: a transaction then fails
  // where something did. Lists over the whole store are without.
  bool marked = false;
  // The set that says which of such indexes there are, and this one's name there; or empty.
  std::string set;
  std::string name;

  friend auto operator<=>(const IndexEntry&,
                          const IndexEntry&) = default;  // NOLINT(modernize-use-nullptr)
};
using IndexEntries = std::vector<IndexEntry>;

// What a table of rows is to the rest. `rest` is a row's name behind the table's own and a colon.
struct EventTable {
  using Key = Tables::Pair;
  using Row = Tables::Event;
  static constexpr std::string_view kName = "event";
  static Key KeyOf(const Row& row) { return {row.row.app, row.row.key}; }
  static std::string RestOf(const Key& key);
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
};

struct SessionTable {
  using Key = std::string;
  using Row = SessionRow;
  static constexpr std::string_view kName = "session";
  static Key KeyOf(const Row& row) { return row.id; }
  static std::string RestOf(const Key& key) { return key; }
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
};

struct TurnTable {
  using Key = std::string;
  using Row = TurnRow;
  static constexpr std::string_view kName = "turn";
  static Key KeyOf(const Row& row) { return row.id; }
  static std::string RestOf(const Key& key) { return key; }
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
};

struct ApprovalTable {
  using Key = std::string;
  using Row = ApprovalRow;
  static constexpr std::string_view kName = "approval";
  static Key KeyOf(const Row& row) { return row.id; }
  static std::string RestOf(const Key& key) { return key; }
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
};

struct ConsentTable {
  using Key = std::string;
  using Row = ConsentRow;
  static constexpr std::string_view kName = "consent";
  static Key KeyOf(const Row& row) { return row.id; }
  static std::string RestOf(const Key& key) { return key; }
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
};

struct BudgetTable {
  using Key = Tables::Pair;
  using Row = BudgetRow;
  static constexpr std::string_view kName = "budget";
  static Key KeyOf(const Row& row) { return {row.app, row.counter}; }
  static std::string RestOf(const Key& key);
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
};

// Those that are held, or were told something; a free lane has no row.
struct LaneTable {
  using Key = Tables::Pair;
  using Row = LaneRow;
  static constexpr std::string_view kName = "lane";
  static Key KeyOf(const Row& row) { return {row.app, row.lane}; }
  static std::string RestOf(const Key& key);
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row&) { return {}; }
};

struct WorkTable {
  using Key = Tables::Pair;
  using Row = WorkRow;
  static constexpr std::string_view kName = "work";
  static Key KeyOf(const Row& row) { return {row.turn, row.call}; }
  static std::string RestOf(const Key& key);
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
};

struct OutboxTable {
  using Key = std::string;
  using Row = OutboxRow;
  static constexpr std::string_view kName = "outbox";
  static Key KeyOf(const Row& row) { return row.id; }
  static std::string RestOf(const Key& key) { return key; }
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
  // Beside those: of the first due row of a lane, and of no other.
  static IndexEntry FirstEntryOf(const Row& row);
};

// A row's place stands in its name alone: the store gives it in the commit.
struct AuditTable {
  using Key = std::int64_t;
  using Row = AuditRow;
  static constexpr std::string_view kName = "audit";
  static Key KeyOf(const Row& row) { return row.place; }
  static std::string RestOf(const Key& key);
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row& row);
};

struct AuditChainTable {
  using Key = std::string;
  using Row = AuditChainRow;
  static constexpr std::string_view kName = "audit_chain";
  static Key KeyOf(const Row& row) { return row.app; }
  static std::string RestOf(const Key& key) { return key; }
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row&) { return {}; }
};

// The last number that a session gave to an entry.
struct AuditNumberTable {
  using Key = std::string;
  using Row = std::int64_t;
  static constexpr std::string_view kName = "audit_number";
  static std::string RestOf(const Key& key) { return key; }
  static std::string Pack(const Row& row);
  static Row Unpack(std::string_view text, std::string_view rest);
  static IndexEntries EntriesOf(const Row&) { return {}; }
};

template <class T>
[[nodiscard]] std::string RowName(const typename T::Key& key) {
  return std::string(T::kName) + ":" + T::RestOf(key);
}

}  // namespace writ::store
