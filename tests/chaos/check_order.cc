#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/chaos/checker.h"

namespace writ::chaos {
namespace {

// A message whose turn had its way with the model.
struct Begun {
  const Said* said = nullptr;
  Moment first_asked{0};
  std::int64_t place = 0;  // of its answer in the channel; 0: none
};

std::map<std::string, std::vector<Begun>> BegunByChannel(const Evidence& evidence) {
  std::map<std::string, Moment> first_asked;
  for (const Asked& asked : evidence.asked) {
    const auto [entry, is_new] = first_asked.emplace(asked.word, asked.at);
    if (!is_new) entry->second = std::min(entry->second, asked.at);
  }
  std::map<std::string, std::string> words;  // by command
  for (const Command& command : evidence.commands) words[command.id] = command.word;
  std::map<std::string, std::int64_t> places;  // by word
  for (const Shown& shown : evidence.shown) places[words[shown.command]] = shown.place;
  std::map<std::string, std::vector<Begun>> channels;
  for (const Said& said : evidence.said) {
    const auto asked = first_asked.find(said.word);
    if (asked == first_asked.end()) continue;
    const auto place = places.find(said.word);
    channels[said.cid].push_back({&said, asked->second, place == places.end() ? 0 : place->second});
  }
  return channels;
}

// What was acknowledged before a later message was even sent is answered before that one.
bool MustComeFirst(const Said& one, const Said& other) {
  return one.written < other.written && one.acknowledged && other.first_sent &&
         *other.first_sent > *one.acknowledged;
}

}  // namespace

void CheckOrder(const Evidence& evidence, std::vector<Finding>& findings) {
  for (const auto& [cid, begun] : BegunByChannel(evidence)) {
    for (const Begun& one : begun) {
      for (const Begun& other : begun) {
        if (MustComeFirst(*one.said, *other.said) && one.first_asked > other.first_asked) {
          findings.push_back(
              {kOrderKept, cid, other.said->word + " began before " + one.said->word});
        }
        if (one.first_asked < other.first_asked && one.place > other.place && other.place > 0) {
          findings.push_back(
              {kOrderKept, cid, other.said->word + " is shown before " + one.said->word});
        }
      }
    }
  }
}

}  // namespace writ::chaos
