#include "tests/chaos/schedule.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace writ::chaos {
namespace {

// Distributions of the standard library differ between its makers; this does not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t Below(std::uint64_t bound) { return bound == 0 ? 0 : engine_() % bound; }
  Milliseconds Between(Milliseconds from, Milliseconds to) {
    return from + Milliseconds(Below(static_cast<std::uint64_t>((to - from).count()) + 1));
  }
  bool OneIn(std::uint64_t count) { return Below(count) == 0; }
  template <class Values>
  auto Of(const Values& values) {
    return values[Below(std::size(values))];
  }

 private:
  std::mt19937_64 engine_;
};

bool IsOfStore(FaultKind kind) {
  return kind == FaultKind::kCrashStore || kind == FaultKind::kRestartStore;
}

// What hits nodes and the store comes about twice as often as what hits the outside.
std::vector<FaultKind> KindsFor(const ScheduleOptions& options) {
  using enum FaultKind;
  std::vector<FaultKind> kinds = {kKillNode,   kKillNode,       kKillNode,      kKillNode,
                                  kStopNode,   kStopNode,       kTerminateNode, kConnectorSlow,
                                  kModelSlow,  kConnectorFails, kConnectorDies, kConnectorForgets,
                                  kModelFails, kPlatformLimits, kPlatformFails, kPlatformDies,
                                  kMembersFail};
  if (options.store_is_shared) {
    kinds.insert(kinds.end(), {kCrashStore, kCrashStore, kRestartStore});
    if (options.can_be_cut)
      kinds.insert(kinds.end(), {kCutNode, kCutNode, kLoseCommit, kLoseCommit});
  }
  return kinds;
}

Milliseconds LengthOf(FaultKind kind, bool node_is_alone, Dice& dice) {
  using std::chrono::seconds;
  switch (kind) {
    case FaultKind::kKillNode:
      // Some stay away for longer than a claim lives (10 s), so that others take its work over.
      return dice.OneIn(3) && !node_is_alone ? dice.Between(seconds(11), seconds(15))
                                             : dice.Between(Milliseconds(50), seconds(4));
    case FaultKind::kTerminateNode:
      return dice.Between(seconds(1), seconds(6));
    case FaultKind::kStopNode:
    case FaultKind::kCutNode:
      return dice.OneIn(3) ? dice.Between(seconds(1), seconds(8))
                           : dice.Between(seconds(11), seconds(15));
    case FaultKind::kCrashStore:
    case FaultKind::kRestartStore:
      return dice.Between(Milliseconds(100), seconds(4));
    case FaultKind::kConnectorSlow:
    case FaultKind::kModelSlow:
      return dice.Between(seconds(1), seconds(12));
    case FaultKind::kLoseCommit:
    case FaultKind::kConnectorFails:
    case FaultKind::kConnectorDies:
    case FaultKind::kConnectorForgets:
    case FaultKind::kModelFails:
    case FaultKind::kPlatformLimits:
    case FaultKind::kPlatformFails:
    case FaultKind::kPlatformDies:
    case FaultKind::kMembersFail:
      return Milliseconds(0);
  }
  return Milliseconds(0);
}

// Who is down when: so that one node is always there.
class Downtimes {
 public:
  explicit Downtimes(std::size_t nodes) : until_(nodes) {}

  [[nodiscard]] bool MayFall(std::size_t node, Milliseconds at) const {
    if (until_[node] > at) return false;
    const auto up = std::ranges::count_if(until_, [&](Milliseconds until) { return until <= at; });
    return until_.size() == 1 || up > 1;
  }
  void Fall(std::size_t node, Milliseconds until) { until_[node] = until; }

 private:
  std::vector<Milliseconds> until_;  // and a breath to come up
};

constexpr Milliseconds kBreath{2500};

std::vector<Fault> MakeFaults(const ScheduleOptions& options, Dice& dice) {
  const std::vector<FaultKind> kinds = KindsFor(options);
  Downtimes nodes(options.nodes);
  Milliseconds store_until{0};
  std::vector<Fault> faults;
  faults.reserve(options.faults);
  for (std::size_t number = 0; number < options.faults; ++number) {
    const auto share = options.length / static_cast<std::int64_t>(options.faults);
    Fault fault;
    fault.at = share * static_cast<std::int64_t>(number) + dice.Between(Milliseconds(0), share);
    while (true) {  // until one is possible: those of the outside always are
      fault.kind = dice.Of(kinds);
      fault.node = dice.Below(options.nodes);
      fault.lasts = LengthOf(fault.kind, options.nodes == 1, dice);
      fault.times = 1 + dice.Below(3);
      fault.variant = dice.OneIn(2);
      if (IsOfNode(fault.kind) && !nodes.MayFall(fault.node, fault.at)) continue;
      if (IsOfStore(fault.kind) && store_until > fault.at) continue;
      break;
    }
    if (IsOfNode(fault.kind)) nodes.Fall(fault.node, fault.at + fault.lasts + kBreath);
    if (IsOfStore(fault.kind)) store_until = fault.at + fault.lasts + kBreath;
    faults.push_back(fault);
  }
  return faults;
}

std::vector<PlannedCall> CallsOf(const std::string& word, Dice& dice) {
  static constexpr auto kHeldTools = std::to_array<const char*>({"echo", "echo", "book"});
  static constexpr auto kFreeTools = std::to_array<const char*>({"lookup", "note"});
  switch (dice.Below(8)) {
    case 0:
      return {};  // words alone
    case 1:
      return {{dice.Of(kFreeTools), word + "-a", 0}};
    case 2:  // two held calls of one reply
      return {{"echo", word + "-a", 0}, {dice.Of(kHeldTools), word + "-b", 0}};
    case 3:  // free and held side by side
      return {{dice.Of(kFreeTools), word + "-a", 0}, {dice.Of(kHeldTools), word + "-b", 0}};
    case 4:  // a second reply's call after the first one's
      return {{dice.Of(kHeldTools), word + "-a", 0}, {dice.Of(kHeldTools), word + "-b", 1}};
    case 5:
      return {{dice.Of(kFreeTools), word + "-a", 0}, {dice.Of(kHeldTools), word + "-b", 1}};
    default:
      return {{dice.Of(kHeldTools), word + "-a", 0}};
  }
}

Consent ConsentOf(Dice& dice) {
  using enum Consent;
  static constexpr auto kChoices = std::to_array<Consent>(
      {kApprove, kApprove, kApprove, kApprove, kDecline, kDecline, kTwoAtOnce, kTwoAtOnce,
       kBackendToo, kTwice, kTwice, kWrongFirst, kWrongFirst, kWrongOnly, kNobody});
  return dice.Of(kChoices);
}

std::vector<Delivery> DeliveriesOf(const ScheduleOptions& options, Dice& dice) {
  std::vector<Delivery> deliveries;
  if (!dice.OneIn(4)) return {{Milliseconds(0), -1}};
  const std::size_t count = 2 + dice.Below(options.nodes);
  for (std::size_t number = 0; number < count; ++number) {  // the same event, to several nodes
    const Milliseconds after =
        dice.OneIn(2) ? Milliseconds(0) : dice.Between(Milliseconds(0), Milliseconds(3000));
    deliveries.push_back({after, static_cast<int>(dice.Below(options.nodes))});
  }
  return deliveries;
}

std::string WordOf(std::size_t number) {
  std::string digits = std::to_string(number);
  return "w" + std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
}

// Neighbours in time in one channel: each overtakes the one before it on its way.
void Reorder(std::vector<PlannedMessage>& messages, std::size_t first, Dice& dice) {
  const std::size_t count = std::min<std::size_t>(2 + dice.Below(3), messages.size() - first);
  for (std::size_t step = 0; step < count; ++step) {
    PlannedMessage& message = messages[first + step];
    message.at = messages[first].at + Milliseconds(20 * step);
    message.channel = messages[first].channel;
    for (Delivery& delivery : message.deliveries) {
      delivery.after =
          Milliseconds(250 * (count - step)) + dice.Between(Milliseconds(0), Milliseconds(60));
    }
  }
}

std::vector<PlannedMessage> MakeMessages(const ScheduleOptions& options, Dice& dice) {
  static constexpr auto kWriters = std::to_array<const char*>({"anya-1", "ben-2", "cleo-3"});
  std::vector<PlannedMessage> messages;
  std::vector<std::size_t> left;  // channels that a person has left or will leave
  const auto share = options.length / static_cast<std::int64_t>(options.messages + 1);
  for (std::size_t number = 0; number < options.messages; ++number) {
    PlannedMessage message;
    message.at = share * static_cast<std::int64_t>(number) + dice.Between(Milliseconds(0), share);
    message.word = WordOf(number);
    const auto generation = static_cast<std::size_t>(message.at / options.channel_life);
    message.channel = generation * options.channels_at_once + dice.Below(options.channels_at_once);
    message.writer = dice.Of(kWriters);
    message.calls = CallsOf(message.word, dice);
    message.consent = ConsentOf(dice);
    message.answer_after =
        dice.OneIn(3) ? Milliseconds(0) : dice.Between(Milliseconds(100), Milliseconds(4000));
    message.deliveries = DeliveriesOf(options, dice);
    messages.push_back(std::move(message));
  }
  for (std::size_t first = 0; first + 1 < messages.size(); ++first) {
    if (dice.OneIn(9)) Reorder(messages, first, dice);
  }
  std::ranges::stable_sort(messages, {}, &PlannedMessage::at);
  for (PlannedMessage& message : messages) {
    // Somebody of its own leaves, so that nobody else's messages are of a person who is not there.
    if (message.calls.empty() || std::ranges::count(left, message.channel) > 0) continue;
    if (!dice.OneIn(3)) continue;
    left.push_back(message.channel);
    message.writer = "dora-4";
    message.calls = {{"echo", message.word + "-a", 0}};
    message.consent = Consent::kWriterLeaves;
  }
  return messages;
}

}  // namespace

bool IsOfNode(FaultKind kind) {
  switch (kind) {
    case FaultKind::kKillNode:
    case FaultKind::kTerminateNode:
    case FaultKind::kStopNode:
    case FaultKind::kCutNode:
    case FaultKind::kLoseCommit:
      return true;
    case FaultKind::kCrashStore:
    case FaultKind::kRestartStore:
    case FaultKind::kConnectorSlow:
    case FaultKind::kConnectorFails:
    case FaultKind::kConnectorDies:
    case FaultKind::kConnectorForgets:
    case FaultKind::kModelSlow:
    case FaultKind::kModelFails:
    case FaultKind::kPlatformLimits:
    case FaultKind::kPlatformFails:
    case FaultKind::kPlatformDies:
    case FaultKind::kMembersFail:
      return false;
  }
  return false;
}

std::string_view NameOf(FaultKind kind) {
  switch (kind) {
    case FaultKind::kKillNode:
      return "a node killed (SIGKILL)";
    case FaultKind::kTerminateNode:
      return "a node told to end (SIGTERM)";
    case FaultKind::kStopNode:
      return "a node stopped (SIGSTOP)";
    case FaultKind::kCutNode:
      return "a node cut off from the store";
    case FaultKind::kLoseCommit:
      return "the answer to a commit lost";
    case FaultKind::kCrashStore:
      return "the store killed";
    case FaultKind::kRestartStore:
      return "the store restarted";
    case FaultKind::kConnectorSlow:
      return "a slow connector";
    case FaultKind::kConnectorFails:
      return "a connector that answers 500 after the deed";
    case FaultKind::kConnectorDies:
      return "a connector that dies before it answers";
    case FaultKind::kConnectorForgets:
      return "a connector without its sessions";
    case FaultKind::kModelSlow:
      return "a slow model";
    case FaultKind::kModelFails:
      return "a model that answers 500 or 529";
    case FaultKind::kPlatformLimits:
      return "the platform answers 429";
    case FaultKind::kPlatformFails:
      return "the platform answers 500";
    case FaultKind::kPlatformDies:
      return "the platform breaks off after the deed";
    case FaultKind::kMembersFail:
      return "membership that can't be had";
  }
  return "";
}

std::string_view NameOf(Consent consent) {
  switch (consent) {
    case Consent::kApprove:
      return "allowed";
    case Consent::kDecline:
      return "declined";
    case Consent::kTwoAtOnce:
      return "allowed and declined at once";
    case Consent::kBackendToo:
      return "allowed, and declined by the backend at once";
    case Consent::kTwice:
      return "allowed twice at once";
    case Consent::kWrongFirst:
      return "answered by another first";
    case Consent::kWrongOnly:
      return "answered by another alone";
    case Consent::kNobody:
      return "not answered";
    case Consent::kWriterLeaves:
      return "answered by a writer who had left";
  }
  return "";
}

bool IsHeld(std::string_view tool) { return tool == "echo" || tool == "book"; }

bool IsIdempotent(std::string_view tool) { return tool == "lookup" || tool == "book"; }

Schedule MakeSchedule(const ScheduleOptions& options) {
  Dice faults(options.seed * 2 + 1);
  Dice messages(options.seed * 2 + 2);
  return {MakeFaults(options, faults), MakeMessages(options, messages)};
}

}  // namespace writ::chaos
