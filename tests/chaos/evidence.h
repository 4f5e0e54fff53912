#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace writ::chaos {

// What was seen of a run, from outside and from the store: all that the checker reads. Times are
// milliseconds since the run's start, on one steady clock.
using Moment = std::chrono::milliseconds;

// A message that somebody wrote.
struct Said {
  std::string word;  // unique
  std::string cid;
  std::string writer;
  Moment written{0};
  std::optional<Moment> first_sent;    // to any node
  std::optional<Moment> acknowledged;  // the first 200
};

struct Step {
  std::string call;
  std::string name;     // `connector__tool`
  std::string status;   // as the channel says it
  std::string outcome;  // "" before there is one

  friend bool operator==(const Step&, const Step&) = default;
};

// A command as the backend's API has it at the end.
struct Command {
  std::string id;
  std::string cid;
  std::string word;  // of its text
  std::string state;
  std::string reply;
  std::vector<Step> steps;
};

// A message of the agent's as it stands in the channel at the end.
struct Shown {
  std::string id;
  std::string cid;
  std::string command;
  std::string state;
  std::string text;
  std::int64_t place = 0;  // in the order in which the channel got its messages
  std::vector<Step> steps;
};

// A call that reached the connector, whatever it was answered.
struct Execution {
  Moment at{0};
  std::string key;  // the idempotency key
  std::string tool;
  std::string message;  // its argument
};

// An approval as the backend's API has it at the end.
struct Approval {
  std::string id;
  std::string call;
  std::string command;
  std::string cid;
  std::string asked;
  std::string tool;     // of the CRM
  std::string message;  // its argument
  std::string status;
  bool consumed = false;
  bool has_decision = false;
  bool allowed = false;
  std::string decided_by;
};

// An answer that somebody gave.
struct Answer {
  std::string call;
  std::string by;  // a user, or "backend"
  bool allowed = false;
  bool was_outside = false;  // no member of the channel, from before it was sent to after it came
  Moment sent{0};
  Moment came{0};
  int status = 0;  // of HTTP; 0: it is not known what became of it
};

// A request that the model got.
struct Asked {
  Moment at{0};
  std::string word;
  int rounds = 0;
};

// An entry of the audit log.
struct AuditEntry {
  std::string type;
  std::string call;
  std::string decided_by;
  bool approved = false;
  std::string outcome;
};

// One look into the store: each channel in one transaction.
struct LeaseSeen {
  Moment at{0};
  std::string cid;
  std::string holder;                // as the channel's row says
  std::vector<std::string> holding;  // the turns that say of themselves that they hold the lease
};
struct ClaimSeen {
  Moment at{0};
  std::int64_t fence = 0;
  std::string node;
  std::string turn;
  std::string call;  // "" for the turn's next step

  friend bool operator==(const ClaimSeen&, const ClaimSeen&) = default;
};

// What is left in the store at the end, and should not be.
struct Leftover {
  std::string what;  // `work`, `turn`, `lease`, `event`
  std::string id;
};

struct Evidence {
  std::vector<Said> said;
  std::vector<Command> commands;
  std::vector<Shown> shown;
  std::vector<Execution> executions;
  std::vector<Approval> approvals;
  std::vector<Answer> answers;
  std::vector<Asked> asked;
  std::vector<AuditEntry> audit;
  std::vector<LeaseSeen> leases;
  std::vector<ClaimSeen> claims;
  std::vector<Leftover> leftovers;
  std::vector<std::string> audit_faults;  // what `verify` finds
  std::vector<std::string> model_faults;  // conversations that a provider would refuse
  std::vector<std::string> node_faults;   // a node that ended by itself, or with a wrong code
};

}  // namespace writ::chaos
