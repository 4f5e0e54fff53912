#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/redis/connection.h"
#include "store/redis/schema.h"

namespace writ::store {

// What a transaction read, as a script can look whether it still holds: rows and indexes by name,
// with the number of the commit that changed each last ('' where there is none).
class RedisReads {
 public:
  // throws  RedisConflict where it was read before and is another by now
  void NoteRow(const std::string& name, const std::string& version) { Note(rows_, name, version); }
  void NoteIndex(const std::string& index, const std::string& mark) { Note(indexes_, index, mark); }
  void AddTo(RedisWords& arguments) const;
  [[nodiscard]] std::size_t size() const { return rows_.size() + indexes_.size(); }

 private:
  using Versions = std::map<std::string, std::string, std::less<>>;
  static void Note(Versions& versions, const std::string& name, const std::string& version);

  Versions rows_;
  Versions indexes_;
};

// What a transaction writes, in the terms of scripts/commit.lua.
struct RedisWrites {
  using Pair = std::pair<std::string, std::string>;

  std::vector<Pair> rows;  // name, text
  std::vector<std::string> gone_rows;
  std::vector<Pair> entries;  // index, member
  std::vector<Pair> gone_entries;
  std::set<std::string> marks;
  std::set<std::array<std::string, 3>> sets;       // set, name, index
  std::vector<std::array<std::string, 4>> placed;  // table, text, index, begin of the member
  std::vector<Pair> nodes;                         // name, alive until (microseconds)
  std::vector<std::string> gone_nodes;
  std::string nodes_forgotten_before;  // empty: none are
  std::string channel;                 // empty: nobody is told
  std::string words;

  // From the entries that a row has to those that it is to have.
  void Move(IndexEntries before, IndexEntries after);
  void AddTo(RedisWords& arguments) const;
};

// A part of an index, and where the rows stand whose names its members end with.
struct RedisRange {
  std::string index;
  std::string from = "-";  // as ZRANGE … BYLEX has it: `[x` with x, `(x` without, `-` the beginning
  std::string to = "+";
  bool last_first = false;
  std::size_t skip = 0;  // how much of a member is not its row's name
};

// The store, as one transaction sees it: what it asks, and what it learnt from that. What was found
// by all looks together is one state of the store, as it was at the last one; where the transaction
// has looked at very much it is not compared each time, and IsOneState() is false.
//
// Its methods throw RedisConflict where something that was seen has changed meanwhile.
class RedisTransaction {
 public:
  enum class Mode { kReads, kWrites };

  // They outlive it. `began` is the store's time.
  RedisTransaction(RedisConnection& connection, const std::string& prefix,
                   const std::string& store_id, TimePoint began, Mode mode)
      : connection_(connection), prefix_(prefix), store_id_(store_id), began_(began), mode_(mode) {}

  // A row as the store has it: its text without its version.
  using Row = std::optional<std::string>;
  [[nodiscard]] Row FetchRow(const std::string& name);
  [[nodiscard]] std::vector<Row> FetchRows(const std::vector<std::string>& names);

  struct Member {
    std::string member;
    std::string rest;  // of the row's name
    std::string row;
  };
  // At most `limit` of the range, with their rows (`table` is how their names begin). Where
  // `marked`, nothing may come into the index or leave it until the transaction ends.
  [[nodiscard]] std::vector<Member> FetchRange(const RedisRange& range, bool marked,
                                               std::string_view table, std::size_t limit);
  [[nodiscard]] std::size_t CountRange(const RedisRange& range, bool marked);
  // The first member of an index, which nobody is kept from changing.
  [[nodiscard]] std::optional<std::string> FetchFirst(const std::string& index);
  // Of nodes that do not live at `now`: see scripts/look.lua.
  [[nodiscard]] std::vector<Member> FetchIdle(const std::string& set, const std::string& indexes,
                                              TimePoint now, std::size_t skip,
                                              std::string_view table, std::size_t limit);
  [[nodiscard]] std::map<std::string, TimePoint> FetchNodes();
  // Adds one to a counter at once, whatever becomes of the transaction; what it is then.
  [[nodiscard]] std::int64_t AddToCounter(std::string_view counter);

  [[nodiscard]] TimePoint began() const { return began_; }
  [[nodiscard]] Mode mode() const { return mode_; }
  [[nodiscard]] bool IsOneState() const { return is_one_state_; }
  // The arguments that scripts/checks.lua wants.
  [[nodiscard]] RedisWords Checks() const;
  // What a script said of them. throws  RedisConflict, and Failure where it is another store
  static void MustBeGood(const RedisReply& said);

 private:
  [[nodiscard]] std::string KeyOf(std::string_view name) const {
    return prefix_ + ":" + std::string(name);
  }
  [[nodiscard]] RedisWords Checks(const RedisReads& reads) const;
  // What the store has at hand for `wanted`, a function of scripts/look.lua.
  [[nodiscard]] RedisReply Look(const RedisWords& wanted);
  [[nodiscard]] Row Learn(const std::string& name, const RedisReply& reply);
  void LearnMembers(std::vector<Member>& members, const std::vector<RedisReply>& list,
                    std::size_t from, std::size_t skip, std::string_view table);

  RedisConnection& connection_;
  const std::string& prefix_;
  const std::string& store_id_;
  const TimePoint began_;
  const Mode mode_;
  RedisReads reads_;
  std::string seen_;  // the number of commits, when all that was read still held
  bool is_one_state_ = true;
};

}  // namespace writ::store
