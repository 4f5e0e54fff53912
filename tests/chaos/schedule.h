#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace writ::chaos {

using Milliseconds = std::chrono::milliseconds;

// What goes wrong. The first ones are a node's, the next the store's, the others the outside's.
enum class FaultKind {
  kKillNode,          // SIGKILL, and after `lasts` it is started again
  kTerminateNode,     // SIGTERM, and after `lasts` it is started again: a rolling upgrade
  kStopNode,          // SIGSTOP, and after `lasts` SIGCONT
  kCutNode,           // for `lasts` nothing passes between it and the store, and nothing is closed
  kLoseCommit,        // its next commit is done, and the answer to it is lost with the connection
  kCrashStore,        // all of the store's processes are killed; after `lasts` it is started again
  kRestartStore,      // told to end in order, and started again
  kConnectorSlow,     // its next `times` calls take `lasts`
  kConnectorFails,    // they are answered with 500, after they were done
  kConnectorDies,     // they are done, and the connection breaks instead of an answer
  kConnectorForgets,  // it was restarted: all its sessions are gone
  kModelSlow,         // its next `times` requests take `lasts`
  kModelFails,        // they are answered with 529 or 500
  kPlatformLimits,    // the chat answers the next `times` posts with 429
  kPlatformFails,     // … with 500
  kPlatformDies,      // … takes them, and the connection breaks in the middle of the answer
  kMembersFail,       // … and membership can't be had
};
inline constexpr std::size_t kFaultKinds = 17;
[[nodiscard]] std::string_view NameOf(FaultKind kind);
[[nodiscard]] bool IsOfNode(FaultKind kind);

struct Fault {
  Milliseconds at{0};
  FaultKind kind = FaultKind::kKillNode;
  std::size_t node = 0;   // a node's
  Milliseconds lasts{0};  // until it is over
  std::size_t times = 0;  // how many requests it is the fate of
  bool variant = false;   // kModelFails: 529 instead of 500
};

// What people do about a message's held calls.
enum class Consent {
  kApprove,       // the person asked allows
  kDecline,       // … or declines
  kTwoAtOnce,     // … allows on one node and declines on another, at once
  kBackendToo,    // … allows while the app's backend declines on another node
  kTwice,         // … allows on two nodes at once
  kWrongFirst,    // another member allows first, then the person asked
  kWrongOnly,     // another member allows, the person asked never answers
  kNobody,        // nobody answers
  kWriterLeaves,  // the person asked leaves the channel, allows, comes back, allows
};
inline constexpr std::size_t kConsents = 9;
[[nodiscard]] std::string_view NameOf(Consent consent);

// One way of an event to the nodes: through the front or to a node straight away.
struct Delivery {
  Milliseconds after{0};  // the message was written
  int node = -1;          // -1: through nginx
};

// A call that the model makes for a message.
struct PlannedCall {
  std::string tool;     // of the CRM
  std::string message;  // its only argument: unique within the run
  int round = 0;        // of the model's replies
};

struct PlannedMessage {
  Milliseconds at{0};
  std::string word;  // in its text and in all that follows from it: unique
  std::size_t channel = 0;
  std::string writer;
  std::vector<PlannedCall> calls;
  Consent consent = Consent::kApprove;
  Milliseconds answer_after{0};  // since the call was seen
  std::vector<Delivery> deliveries;
};

// Tools of the CRM.
[[nodiscard]] bool IsHeld(std::string_view tool);        // needs approval
[[nodiscard]] bool IsIdempotent(std::string_view tool);  // as its binding says

struct ScheduleOptions {
  std::uint64_t seed = 1;
  Milliseconds length{60000};  // of the time in which things happen
  std::size_t faults = 20;
  std::size_t messages = 60;
  std::size_t channels_at_once = 5;
  Milliseconds channel_life{40000};  // then another one is written in
  std::size_t nodes = 3;
  bool store_is_shared = true;  // else: one node, and the store has no life of its own
  bool can_be_cut = true;       // a proxy stands between nodes and the store
};

struct Schedule {
  std::vector<Fault> faults;             // by time
  std::vector<PlannedMessage> messages;  // by time
};

// The same options give the same schedule, on any machine. At no time are all nodes down, stopped
// or cut off at once where there are several, and no node has two such faults at a time.
[[nodiscard]] Schedule MakeSchedule(const ScheduleOptions& options);

}  // namespace writ::chaos
