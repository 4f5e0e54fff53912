#include "store/redis/transaction.h"

#include <algorithm>
#include <charconv>

#include "router/base/failure.h"
#include "store/redis/failures.h"
#include "store/redis/keys.h"

namespace writ::store {

namespace {

std::string Micros(TimePoint time) { return std::to_string(time.time_since_epoch().count()); }

// The version that a row begins with; a space and the row itself are behind it.
std::size_t VersionSize(const std::string& text) {
  const std::size_t size = text.find(' ');
  if (size == 0 || size == std::string::npos || text.find_first_not_of("0123456789") < size) {
    throw router::Failure(router::Failure::Kind::kPermanent,
                          "store redis: a row can't be read: it is not what was written");
  }
  return size;
}

void AddPairs(RedisWords& arguments, const std::vector<RedisWrites::Pair>& pairs) {
  arguments.push_back(std::to_string(pairs.size()));
  for (const auto& [first, second] : pairs) {
    arguments.push_back(first);
    arguments.push_back(second);
  }
}

template <class Texts>
void AddTexts(RedisWords& arguments, const Texts& texts) {
  arguments.push_back(std::to_string(texts.size()));
  arguments.insert(arguments.end(), texts.begin(), texts.end());
}

template <class Lists>
void AddLists(RedisWords& arguments, const Lists& lists) {
  arguments.push_back(std::to_string(lists.size()));
  for (const auto& list : lists) arguments.insert(arguments.end(), list.begin(), list.end());
}

}  // namespace

void RedisReads::Note(Versions& versions, const std::string& name, const std::string& version) {
  const auto [at, is_new] = versions.emplace(name, version);
  if (!is_new && at->second != version) throw RedisConflict(name);
}

void RedisReads::AddTo(RedisWords& arguments) const {
  for (const Versions* versions : {&rows_, &indexes_}) {
    arguments.push_back(std::to_string(versions->size()));
    for (const auto& [name, version] : *versions) {
      arguments.push_back(name);
      arguments.push_back(version);
    }
  }
}

void RedisWrites::Move(IndexEntries before, IndexEntries after) {
  std::ranges::sort(before);
  std::ranges::sort(after);
  const auto note = [this](const IndexEntry& entry) {
    if (entry.marked) marks.insert(entry.index);
    if (!entry.set.empty()) sets.insert({entry.set, entry.name, entry.index});
  };
  for (const IndexEntry& entry : before) {
    if (std::ranges::binary_search(after, entry)) continue;
    gone_entries.emplace_back(entry.index, entry.member);
    note(entry);
  }
  for (const IndexEntry& entry : after) {
    if (std::ranges::binary_search(before, entry)) continue;
    entries.emplace_back(entry.index, entry.member);
    note(entry);
  }
}

void RedisWrites::AddTo(RedisWords& arguments) const {
  AddPairs(arguments, rows);
  AddTexts(arguments, gone_rows);
  AddPairs(arguments, entries);
  AddPairs(arguments, gone_entries);
  AddTexts(arguments, marks);
  AddLists(arguments, sets);
  AddLists(arguments, placed);
  AddPairs(arguments, nodes);
  AddTexts(arguments, gone_nodes);
  arguments.push_back(nodes_forgotten_before);
  arguments.push_back(channel);
  arguments.push_back(words);
}

RedisTransaction::Row RedisTransaction::Learn(const std::string& name, const RedisReply& reply) {
  if (reply.IsNothing()) {
    reads_.NoteRow(name, "");
    return std::nullopt;
  }
  const std::size_t version = VersionSize(reply.text);
  reads_.NoteRow(name, reply.text.substr(0, version));
  return reply.text.substr(version + 1);
}

// More than so much is compared in the commit alone: what each look compares is compared again by
// the next one.
RedisReply RedisTransaction::Look(const RedisWords& wanted) {
  constexpr std::size_t kMostCompared = 256;
  const bool compares = mode_ == Mode::kReads || reads_.size() <= kMostCompared;
  RedisWords arguments = Checks(compares ? reads_ : RedisReads());
  arguments.insert(arguments.end(), wanted.begin(), wanted.end());
  RedisReply said = connection_.Run(RedisScript::kLook, arguments);
  MustBeGood(said);
  if (compares || said.list.at(1).text == seen_) {
    seen_ = said.list.at(1).text;
  } else {
    is_one_state_ = false;
  }
  return std::move(said.list.at(2));
}

RedisTransaction::Row RedisTransaction::FetchRow(const std::string& name) {
  return FetchRows({name}).front();
}

std::vector<RedisTransaction::Row> RedisTransaction::FetchRows(
    const std::vector<std::string>& names) {
  std::vector<Row> rows;
  if (names.empty()) return rows;
  RedisWords wanted = {"rows"};
  wanted.insert(wanted.end(), names.begin(), names.end());
  const RedisReply found = Look(wanted);
  rows.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) rows.push_back(Learn(names[i], found.list.at(i)));
  return rows;
}

void RedisTransaction::LearnMembers(std::vector<Member>& members,
                                    const std::vector<RedisReply>& list, std::size_t from,
                                    std::size_t skip, std::string_view table) {
  members.reserve(list.size() / 2);
  for (std::size_t i = from; i + 1 < list.size(); i += 2) {
    Member member{list[i].text, list[i].text.substr(std::min(skip, list[i].text.size())), {}};
    const Row row = Learn(std::string(table) + ":" + member.rest, list[i + 1]);
    if (!row) {
      throw router::Failure(router::Failure::Kind::kPermanent,
                            "store redis: an index names a row that is not there");
    }
    member.row = *row;
    members.push_back(std::move(member));
  }
}

std::vector<RedisTransaction::Member> RedisTransaction::FetchRange(const RedisRange& range,
                                                                   bool marked,
                                                                   std::string_view table,
                                                                   std::size_t limit) {
  const RedisReply found =
      Look({"range", range.index, range.from, range.to, range.last_first ? "1" : "0",
            std::to_string(limit), std::string(table) + ":", std::to_string(range.skip)});
  if (marked) reads_.NoteIndex(range.index, found.list.at(0).text);
  std::vector<Member> members;
  LearnMembers(members, found.list, 1, range.skip, table);
  return members;
}

std::size_t RedisTransaction::CountRange(const RedisRange& range, bool marked) {
  const RedisReply found = Look({"count", range.index, range.from, range.to});
  if (marked) reads_.NoteIndex(range.index, found.list.at(0).text);
  return static_cast<std::size_t>(found.list.at(1).number);
}

std::optional<std::string> RedisTransaction::FetchFirst(const std::string& index) {
  const RedisReply found = Look({"first", index});
  if (found.list.empty()) return std::nullopt;
  return found.list.front().text;
}

std::vector<RedisTransaction::Member> RedisTransaction::FetchIdle(const std::string& set,
                                                                  const std::string& indexes,
                                                                  TimePoint now, std::size_t skip,
                                                                  std::string_view table,
                                                                  std::size_t limit) {
  const RedisReply found =
      Look({"idle", set, indexes, Micros(now), "[" + Ordered(now) + "\xff", std::to_string(limit),
            std::string(table) + ":", std::to_string(skip)});
  std::vector<Member> members;
  LearnMembers(members, found.list, 0, skip, table);
  return members;
}

std::map<std::string, TimePoint> RedisTransaction::FetchNodes() {
  const RedisReply found = Look({"nodes"});
  std::map<std::string, TimePoint> nodes;
  for (std::size_t i = 0; i + 1 < found.list.size(); i += 2) {
    // Whole microseconds: a double holds them exactly for some 285 years.
    double micros = 0;
    const std::string& text = found.list[i + 1].text;
    std::from_chars(text.data(), text.data() + text.size(), micros);
    nodes[found.list[i].text] =
        TimePoint(router::Duration(static_cast<router::Duration::rep>(micros)));
  }
  return nodes;
}

std::int64_t RedisTransaction::AddToCounter(std::string_view counter) {
  return connection_.Ask({"INCR", KeyOf(counter)}).number;
}

RedisWords RedisTransaction::Checks() const { return Checks(reads_); }

RedisWords RedisTransaction::Checks(const RedisReads& reads) const {
  RedisWords arguments = {prefix_, store_id_, Micros(began_), seen_};
  reads.AddTo(arguments);
  return arguments;
}

void RedisTransaction::MustBeGood(const RedisReply& said) {
  const std::string& word = said.list.at(0).text;
  if (word == "seen" || word == "same" || word == "done") return;
  if (word == "changed") throw RedisConflict(said.list.at(1).text);
  if (word == "another") throw AnotherStore();
  throw RedisConflict(word == "old" ? RedisConflict::kTooOld : "");  // or `barred`
}

}  // namespace writ::store
