#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "router/approval/ask.h"
#include "router/approval/consents.h"
#include "router/base/time.h"
#include "router/flow/setup.h"
#include "router/flow/shelves.h"
#include "router/turn/session.h"

namespace writ::router {

// A call that somebody only asks about.
struct CallInQuestion {
  AppId app;
  Cid cid;
  UserId writer;          // of the message; nobody: a command that nobody wrote
  std::string tool;       // `connector__tool`
  std::string arguments;  // as a model would write them
  // The conversation's open session; nullopt: the message would open one, without an owner.
  std::optional<Session> session;
};

// What would become of it, by the rules and the tool list of now.
struct Explanation {
  enum class Outcome {
    kNobodyAnswers,  // no agent of the app answers in channels of that type
    kRuns,
    kHeld,      // for `asked`
    kApproved,  // by the policy or by a standing consent, without asking
    kDeclined,  // the same
    kRefused,   // `status` and `reason` as the model is told them
    kFailed,    // the rules or the tool list could not be had; nothing would run
  };
  Outcome outcome = Outcome::kNobodyAnswers;
  AgentId agent;
  ConnectorId connector;
  std::string tool;
  Asked asked;
  std::string why;  // in words: who is asked and for what reason, or why it is refused
  std::string status;
  std::string reason;
  std::string hint;
  // JSON pointers into the configuration; empty where no rule of that kind decided.
  std::string rule;          // that holds or refuses the call
  std::string who_rule;      // that says who is asked
  std::string channel_rule;  // that makes the agent answer there
};

[[nodiscard]] std::string_view NameOf(Explanation::Outcome outcome);  // `held`, …

// Answers by the code that turns run: the channel's rule, the gate, who is asked. Nothing is sent
// but a request for the connector's tool list.
class Explain {
 public:
  Explain(const Directory& directory, Shelves& shelves)
      : directory_(directory), shelves_(shelves) {}
  // Where the store is at hand: it says, too, which standing consent would release a call.
  Explain(const Directory& directory, Shelves& shelves, ConsentLedger& consents, const Clock& clock)
      : directory_(directory), shelves_(shelves), consents_(&consents), clock_(&clock) {}

  // `done` runs once: at once, or as a job when the tool list has come. A list may be as old as one
  // that a model is offered.
  void Run(const CallInQuestion& call, std::stop_token stop,
           std::function<void(Explanation)> done) const;

 private:
  // Of a call that is held for a person: whether what they consented to before covers it.
  void LookForConsent(const Shelf& shelf, const CallInQuestion& call, const Call& judged,
                      Explanation& told) const;

  const Directory& directory_;
  Shelves& shelves_;
  ConsentLedger* consents_ = nullptr;
  const Clock* clock_ = nullptr;
};

}  // namespace writ::router
