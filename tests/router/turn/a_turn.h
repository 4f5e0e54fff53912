#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/approval_record.h"
#include "router/turn/turn.h"

namespace writ::tests {

// 2026-11-29T09:30:00Z
inline constexpr router::TimePoint kNoon{std::chrono::seconds{1795944600}};
inline const router::UserId kAnya("anya-1");
inline const router::UserId kBen("ben-2");

// Anya's message in `callouts:team-1`, queued.
inline router::Turn ATurn(const std::string& id = "cmd_1") {
  router::Turn turn;
  turn.id = router::CommandId(id);
  turn.session = router::SessionId("ses_1");
  turn.app = router::AppId("acme");
  turn.agent = router::AgentId("helper");
  turn.cid = router::Cid("callouts:team-1");
  turn.lane = "callouts:team-1";
  turn.writer = kAnya;
  turn.author = kAnya;
  turn.author_name = "Anya";
  turn.text = "say hi";
  turn.text_at = kNoon;
  turn.message = router::MessageId("m-" + id);
  turn.created_at = kNoon;
  turn.opened_at = kNoon;
  return turn;
}

// A call of `crm__echo` as the gate hands it over.
inline router::Call ACall(const std::string& id, const std::string& arguments = R"({"a":1})") {
  router::Call call;
  call.id = router::CallId(id);
  call.provider_id = "toolu_" + id;
  call.offered_name = "crm__echo";
  call.connector = router::ConnectorId("crm");
  call.tool = "echo";
  call.name = "crm__echo";
  call.title = "Echo";
  call.arguments = arguments;
  call.shown = "a: 1";
  call.mark = router::MarkOf("key", arguments);
  call.schema_digest = "digest";
  return call;
}

// The record of an ask for that call, put to `asked`.
inline router::ApprovalRecord AnApproval(const router::Call& call,
                                         const router::UserId& asked = kAnya) {
  router::ApprovalRecord record;
  record.id = router::ApprovalId("apr_" + call.id.text());
  record.run = router::CommandId("cmd_1");
  record.call = call.id;
  record.app = router::AppId("acme");
  record.lane = "callouts:team-1";
  record.cid = router::Cid("callouts:team-1");
  record.asked = asked;
  record.connector = call.connector;
  record.tool = call.name;
  record.arguments = call.arguments;
  record.args_digest = router::DigestOf(call.arguments, "tool", call.name);
  record.mark_key = "key";
  record.created_at = kNoon;
  record.expires_at = kNoon + std::chrono::seconds(600);
  return record;
}

// The call as it stands in a turn, held for `asked`.
inline router::Call AHeldCall(const std::string& id, const router::UserId& asked = kAnya) {
  router::Call call = ACall(id);
  call.state = router::CallState::kHeld;
  call.approval = AnApproval(call, asked);
  return call;
}

inline router::Call ACallThatIs(router::CallState state, const std::string& id) {
  router::Call call = ACall(id);
  call.state = state;
  return call;
}

}  // namespace writ::tests
