#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/chaos/checker.h"
#include "tests/chaos/schedule.h"

namespace writ::chaos {
namespace {

bool IsDone(const Answer& answer) { return answer.status / 100 == 2; }

// Whether nobody knows what became of it: the balancer too says 502 or 504 of a node that was
// stopped, and that looks at it once it goes on.
bool IsUnknown(const Answer& answer) { return answer.status == 0 || answer.status >= 500; }

// Whether this answer may have decided, as far as who gave it knows.
bool MayHaveDecided(const Answer& answer) { return IsDone(answer) || IsUnknown(answer); }

// All that is known of one call.
struct CallStory {
  const Approval* approval = nullptr;
  std::vector<const Execution*> executions;
  std::vector<const Answer*> answers;
  std::vector<const AuditEntry*> audit;
  std::string outcome;
};

class Stories {
 public:
  explicit Stories(const Evidence& evidence) {
    for (const Approval& approval : evidence.approvals) calls_[approval.call].approval = &approval;
    for (const Execution& execution : evidence.executions) {
      calls_[execution.key].executions.push_back(&execution);
    }
    for (const Answer& answer : evidence.answers) calls_[answer.call].answers.push_back(&answer);
    for (const AuditEntry& entry : evidence.audit) calls_[entry.call].audit.push_back(&entry);
    for (const Command& command : evidence.commands) {
      for (const Step& step : command.steps) calls_[step.call].outcome = step.outcome;
    }
    for (const Said& said : evidence.said) writers_[said.word] = said.writer;
  }

  [[nodiscard]] const std::map<std::string, CallStory>& calls() const { return calls_; }
  [[nodiscard]] std::string WriterOf(const std::string& word) const {
    const auto found = writers_.find(word);
    return found == writers_.end() ? "" : found->second;
  }

 private:
  std::map<std::string, CallStory> calls_;
  std::map<std::string, std::string> writers_;
};

void CheckExecutedOnce(const Evidence& evidence, std::vector<Finding>& findings) {
  std::map<std::string, std::vector<const Execution*>> by_message;
  for (const Execution& execution : evidence.executions) {
    by_message[execution.message].push_back(&execution);
  }
  for (const auto& [message, executions] : by_message) {
    if (executions.size() == 1) continue;
    const Execution& first = *executions[0];
    const bool same_key = std::ranges::all_of(
        executions, [&](const Execution* one) { return one->key == first.key; });
    if (IsIdempotent(first.tool) && same_key) continue;
    findings.push_back({kExecutedOnce, message,
                        std::to_string(executions.size()) + " times, " +
                            (same_key ? "under one key" : "under several keys")});
  }
}

bool AnswerLetItRun(const CallStory& story, const Execution& execution) {
  const std::string& asked = story.approval->asked;
  return std::ranges::any_of(story.answers, [&](const Answer* answer) {
    return (answer->by == asked || answer->by == "backend") && answer->allowed &&
           answer->sent <= execution.at && MayHaveDecided(*answer) &&
           // One of which nothing is known may have been looked at when its person was back.
           (!answer->was_outside || IsUnknown(*answer));
  });
}

// For who looks into a finding.
std::string TextOf(const std::vector<const Answer*>& answers) {
  std::string text;
  for (const Answer* answer : answers) {
    text += "; " + answer->by + (answer->was_outside ? " from outside" : "") +
            (answer->allowed ? " yes, " : " no, ") + std::to_string(answer->sent.count()) + " to " +
            std::to_string(answer->came.count()) + " ms: " + std::to_string(answer->status);
  }
  return text;
}

void CheckRightPerson(const Stories& stories, const std::string& call, const CallStory& story,
                      std::vector<Finding>& findings) {
  for (const Execution* execution : story.executions) {
    if (!IsHeld(execution->tool)) continue;
    const auto wrong = [&](const std::string& what) {
      findings.push_back({kRightPerson, call, execution->message + ": " + what});
    };
    const Approval* approval = story.approval;
    if (approval == nullptr) {
      wrong("nobody was asked");
      continue;
    }
    if (approval->message != execution->message || approval->tool != execution->tool) {
      wrong("another call was allowed: " + approval->tool + " " + approval->message);
    }
    if (approval->asked != stories.WriterOf(WordIn(execution->message))) {
      wrong("asked was " + approval->asked + ", who did not write the message");
    }
    if (!approval->has_decision || !approval->allowed || !approval->consumed) {
      wrong("its approval is not a yes that was used");
    } else if (approval->decided_by != "user:" + approval->asked &&
               approval->decided_by != "backend") {
      wrong("it was decided by " + approval->decided_by);
    }
    if (!AnswerLetItRun(story, *execution)) {
      wrong("nobody who may had allowed it by " + std::to_string(execution->at.count()) + " ms" +
            TextOf(story.answers));
    }
    const auto has = [&](const char* type) {
      return std::ranges::count_if(story.audit,
                                   [&](const AuditEntry* entry) { return entry->type == type; });
    };
    if (has("decided") != 1 || has("used") != 1) wrong("the audit log tells another story");
  }
}

void CheckAnswers(const std::string& call, const CallStory& story, std::vector<Finding>& findings) {
  const Answer* first = nullptr;
  for (const Answer* answer : story.answers) {
    if (!IsDone(*answer)) continue;
    const auto wrong = [&](const std::string& what) {
      findings.push_back({kFirstAnswerHolds, call, what});
    };
    const Approval* approval = story.approval;
    if (approval == nullptr) {
      wrong("an answer to a call that is not there");
      continue;
    }
    if (answer->by != approval->asked && answer->by != "backend") {
      wrong(answer->by + " answered for " + approval->asked);
    }
    if (answer->was_outside) wrong(answer->by + " answered from outside of the channel");
    if (first != nullptr) wrong("two answers were taken");
    first = answer;
    if (!approval->has_decision || approval->allowed != answer->allowed) {
      wrong(std::string("it was taken as ") + (answer->allowed ? "a yes" : "a no") +
            ", and the record says otherwise");
    }
    if (!answer->allowed && !story.executions.empty()) wrong("declined, and executed");
  }
}

void CheckHeld(const std::string& call, const CallStory& story, std::vector<Finding>& findings) {
  const Approval* approval = story.approval;
  if (approval == nullptr) return;
  const auto wrong = [&](const std::string& what) {
    findings.push_back({kNoHeldCallLost, call, approval->message + ": " + what});
  };
  static const std::map<std::string, std::set<std::string>> kOutcomes = {
      {"approved", {"done", "failed", "outcome_unknown", "refused", "cancelled"}},
      {"denied", {"declined"}},
      {"expired", {"expired"}},
      {"cancelled", {"cancelled"}},
  };
  const auto outcomes = kOutcomes.find(approval->status);
  if (outcomes == kOutcomes.end()) {
    wrong("it is " + approval->status + " at the end");
  } else if (!outcomes->second.contains(story.outcome)) {
    wrong("it is " + approval->status + ", its outcome is '" + story.outcome + "'");
  }
}

// What came of a call fits what its connector saw.
void CheckOutcome(const std::string& call, const CallStory& story, std::vector<Finding>& findings) {
  static const std::set<std::string> kNeverRan = {"declined", "expired", "refused", "cancelled"};
  if (story.outcome == "done" && story.executions.empty()) {
    findings.push_back({kShownAsItIs, call, "it is done, and the connector never saw it"});
  }
  if (kNeverRan.contains(story.outcome) && !story.executions.empty()) {
    findings.push_back({kShownAsItIs, call, "it is " + story.outcome + ", and was executed"});
  }
  if (story.outcome.empty() && !story.executions.empty()) {
    findings.push_back({kShownAsItIs, call, "it was executed and belongs to no command"});
  }
}

}  // namespace

void CheckCalls(const Evidence& evidence, std::vector<Finding>& findings) {
  CheckExecutedOnce(evidence, findings);
  const Stories stories(evidence);
  for (const auto& [call, story] : stories.calls()) {
    CheckRightPerson(stories, call, story, findings);
    CheckAnswers(call, story, findings);
    CheckHeld(call, story, findings);
    CheckOutcome(call, story, findings);
  }
}

}  // namespace writ::chaos
