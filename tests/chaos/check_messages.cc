#include <map>
#include <set>
#include <string>

#include "tests/chaos/checker.h"

namespace writ::chaos {
namespace {

bool IsEnd(const std::string& state) {
  return state == "completed" || state == "failed" || state == "cancelled";
}

std::string Times(std::size_t count) { return std::to_string(count) + " times"; }

void CheckShown(const Command& command, const Shown& shown, std::vector<Finding>& findings) {
  if (shown.state != command.state) {
    findings.push_back({kShownAsItIs, command.word,
                        "it is " + command.state + ", and the channel says " + shown.state});
  }
  if (shown.text.empty()) {
    findings.push_back({kAnsweredOnce, command.word, "it ended and the channel has no words"});
  } else if (shown.text != command.reply) {
    findings.push_back({kShownAsItIs, command.word, "the channel has other words than the reply"});
  }
  if (shown.steps != command.steps) {
    findings.push_back({kShownAsItIs, command.word, "the channel shows other steps"});
  }
  for (const Step& step : command.steps) {
    if (step.outcome.empty()) {
      findings.push_back({kNoHeldCallLost, step.call, "its turn ended, and it has no outcome"});
    }
  }
}

}  // namespace

void CheckMessages(const Evidence& evidence, std::vector<Finding>& findings) {
  std::multimap<std::string, const Command*> commands;  // by word
  for (const Command& command : evidence.commands) commands.emplace(command.word, &command);
  std::multimap<std::string, const Shown*> shown;  // by command
  for (const Shown& message : evidence.shown) shown.emplace(message.command, &message);

  std::set<std::string> words;
  for (const Said& said : evidence.said) {
    words.insert(said.word);
    const std::size_t count = commands.count(said.word);
    if (count == 0 && said.acknowledged) {
      findings.push_back({kAnsweredOnce, said.word, "it was acknowledged and never answered"});
    }
    if (count > 1) {
      findings.push_back({kAnsweredOnce, said.word, "it was answered " + Times(count)});
    }
  }
  for (const Command& command : evidence.commands) {
    if (!words.contains(command.word)) {
      findings.push_back({kAnsweredOnce, command.id, "it answers what nobody said"});
    }
    if (!IsEnd(command.state)) {
      findings.push_back({kAnsweredOnce, command.word, "it is " + command.state + " at the end"});
      continue;
    }
    const auto [first, last] = shown.equal_range(command.id);
    const auto count = static_cast<std::size_t>(std::distance(first, last));
    if (count != 1) {
      findings.push_back({kAnsweredOnce, command.word, "the channel has it " + Times(count)});
      continue;
    }
    CheckShown(command, *first->second, findings);
  }
  for (const std::string& fault : evidence.model_faults) {
    findings.push_back({kShownAsItIs, "the model", "was told what no provider takes: " + fault});
  }
}

}  // namespace writ::chaos
