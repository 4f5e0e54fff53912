#include "tests/chaos/outside.h"

#include "bot/demo/chat/chat_faults.h"
#include "router/base/json.h"
#include "tests/chaos/checker.h"

namespace writ::chaos {

using bot::ChatEndpoint;
using bot::ChatFault;
using router::Json;
using tests::StubCrm;
using tests::StubModel;

namespace {

constexpr const char* kToolNames[] = {"echo", "book", "lookup", "note"};

Json Schema() {
  return Json::MakeObject(
      {{"type", "object"},
       {"properties", Json::MakeObject({{"message", Json::MakeObject({{"type", "string"}})}})},
       {"required", Json(Json::Array{Json("message")})}});
}

}  // namespace

Outside::Outside(tests::World& world, const RunClock& clock,
                 const std::vector<PlannedMessage>& messages)
    : world_(world), clock_(clock) {
  for (const PlannedMessage& message : messages) messages_[message.word] = message;
  for (const char* name : kToolNames) {
    world_.crm().SetTool(name, Schema());
    world_.crm().On(name, [this](const StubCrm::Call& call) { return Execute(call); });
  }
  world_.model().When("", [this](const StubModel::Asked& asked) { return Reply(asked); });
}

Outside::~Outside() { Heal(); }

void Outside::Suffer(const Fault& fault) {
  bot::ChatFaults& chat = world_.chat().faults();
  const auto posts = [&](const ChatFault& what) {
    chat.Order(ChatEndpoint::kSendMessage, what, fault.times);
    chat.Order(ChatEndpoint::kUpdateMessage, what, fault.times);
  };
  switch (fault.kind) {
    case FaultKind::kConnectorSlow:
    case FaultKind::kConnectorFails:
    case FaultKind::kConnectorDies: {
      const std::lock_guard lock(mutex_);
      of_connector_.push_back(fault);
      return;
    }
    case FaultKind::kModelSlow:
    case FaultKind::kModelFails: {
      const std::lock_guard lock(mutex_);
      of_model_.push_back(fault);
      return;
    }
    case FaultKind::kConnectorForgets:
      world_.crm().ForgetSessions();
      return;
    case FaultKind::kPlatformLimits:
      posts({.kind = ChatFault::Kind::kStatus, .status = 429, .retry_after = "1"});
      return;
    case FaultKind::kPlatformFails:
      posts({.kind = ChatFault::Kind::kStatus, .status = 500});
      return;
    case FaultKind::kPlatformDies:
      posts({.kind = ChatFault::Kind::kDoThenClose});
      return;
    case FaultKind::kMembersFail:
      chat.Order(ChatEndpoint::kQueryMembers, {.kind = ChatFault::Kind::kStatus, .status = 500},
                 fault.times);
      return;
    case FaultKind::kKillNode:
    case FaultKind::kTerminateNode:
    case FaultKind::kStopNode:
    case FaultKind::kCutNode:
    case FaultKind::kLoseCommit:
    case FaultKind::kCrashStore:
    case FaultKind::kRestartStore:
      return;
  }
}

void Outside::Heal() {
  world_.chat().faults().Clear();
  {
    const std::lock_guard lock(mutex_);
    healed_ = true;
    of_connector_.clear();
    of_model_.clear();
  }
  healed_changed_.notify_all();
}

std::vector<Execution> Outside::executions() const {
  const std::lock_guard lock(mutex_);
  return executions_;
}

std::vector<Asked> Outside::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

// One request's fate. Needs mutex_.
bool Outside::Take(std::deque<Fault>& waiting, Fault& taken) {
  if (waiting.empty()) return false;
  taken = waiting.front();
  if (--waiting.front().times == 0) waiting.pop_front();
  return true;
}

void Outside::Linger(Milliseconds lasts) {
  std::unique_lock lock(mutex_);
  healed_changed_.wait_for(lock, lasts, [this] { return healed_; });
}

StubCrm::Result Outside::Execute(const StubCrm::Call& call) {
  Fault fault;
  bool goes_wrong = false;
  {
    const std::lock_guard lock(mutex_);
    const Json arguments = router::ParseJson(call.arguments).value.value_or(Json());
    executions_.push_back({clock_.Now(), call.key, call.tool, arguments.TextAt("message")});
    goes_wrong = Take(of_connector_, fault);
  }
  StubCrm::Result result;
  result.text = call.tool + ": " + call.arguments;
  if (!goes_wrong) return result;
  if (fault.kind == FaultKind::kConnectorSlow) Linger(fault.lasts);
  if (fault.kind == FaultKind::kConnectorFails) result.status = 500;
  if (fault.kind == FaultKind::kConnectorDies) result.breaks = true;
  return result;
}

StubModel::Reply Outside::Reply(const StubModel::Asked& asked) {
  const std::string word = WordIn(asked.text);
  Fault fault;
  bool goes_wrong = false;
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back({clock_.Now(), word, asked.rounds});
    goes_wrong = Take(of_model_, fault);
  }
  if (goes_wrong && fault.kind == FaultKind::kModelFails) {
    return {.status = fault.variant ? 529 : 500};
  }
  if (goes_wrong) Linger(fault.lasts);
  StubModel::Reply reply;
  if (const auto message = messages_.find(word); message != messages_.end()) {
    for (const PlannedCall& call : message->second.calls) {
      if (call.round != asked.rounds) continue;
      const Json arguments = Json::MakeObject({{"message", call.message}});
      reply.calls.push_back({"crm__" + call.tool, arguments.Dump()});
    }
  }
  if (!reply.calls.empty()) return reply;
  reply.text = "That was " + word + ".";
  for (const std::string& result : asked.results) reply.text += " " + result;
  return reply;
}

}  // namespace writ::chaos
