#include "connectors/chat/stream/stream_members.h"

#include <algorithm>
#include <string>
#include <utility>

#include "connectors/chat/stream/wire.h"
#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::Json;
using router::Membership;
using Answer = router::Membership::Answer;

constexpr int kDoesNotExist = 16;

// Built-in fields alone are read here: `custom` is what members may write themselves.
bool IsActiveUser(const Json& user) {
  return !IsSet(user.Find("banned")) && !IsSet(user.Find("shadow_banned")) &&
         !IsSet(user.Find("deactivated_at")) && !IsSet(user.Find("deleted_at"));
}

// An invitation is a membership once it was accepted, and not where it was declined afterwards.
bool AcceptedItsInvitation(const Json& row) {
  const std::string status = row.TextAt("status");
  if (status == "pending" || status == "rejected") return false;
  const auto accepted = ReadStreamTime(row.Find("invite_accepted_at"));
  if (IsSet(row.Find("invited")) && !accepted) return false;
  if (!IsSet(row.Find("invite_rejected_at"))) return true;
  const auto rejected = ReadStreamTime(row.Find("invite_rejected_at"));
  return accepted && rejected && *accepted > *rejected;
}

Membership ReadRow(const Json& row) {
  Membership membership;
  membership.answer = Answer::kMember;
  if (IsSet(row.Find("banned")) || IsSet(row.Find("shadow_banned")) ||
      IsSet(row.Find("deleted_at")) || !AcceptedItsInvitation(row)) {
    membership.answer = Answer::kNotMember;
    return membership;
  }
  // A row is made anew for whoever left and was added again.
  membership.member_since = ReadStreamTime(row.Find("created_at"));
  const Json* user = row.Find("user");
  if (user == nullptr || !user->IsObject()) return membership;
  if (!IsActiveUser(*user)) {
    membership.answer = Answer::kNotMember;
    return membership;
  }
  if (const Json* revoked = user->Find("revoke_tokens_issued_before"); IsSet(revoked)) {
    membership.tokens_valid_from = ReadStreamTime(revoked);
    // Which tokens are dead can't be told, so none is taken for alive.
    if (!membership.tokens_valid_from) membership.answer = Answer::kUnknown;
  }
  return membership;
}

}  // namespace

Membership ReadMembership(const StreamReply& reply, const router::UserId& user) {
  if (reply.failure) {
    // A channel that does not exist has no members; any other 404 may be a proxy's.
    const bool no_channel = reply.status == 404 && reply.code == kDoesNotExist;
    return {no_channel ? Answer::kNotMember : Answer::kUnknown, std::nullopt};
  }
  const Json* rows = reply.body.Find("members");
  if (rows == nullptr || !rows->IsArray()) return {};
  for (const Json& row : rows->array()) {
    std::string id = row.TextAt("user_id");
    if (id.empty()) id = ReadUserId(row, "user").text();
    if (!user.empty() && id == user.text()) return ReadRow(row);
  }
  return {Answer::kNotMember, std::nullopt};
}

StreamMembers::StreamMembers(const StreamAccess& access, router::HttpClient& http,
                             const router::Clock& clock)
    : api_(access), http_(http), clock_(clock) {}

void StreamMembers::Ask(const router::Cid& cid, const router::UserId& user,
                        std::chrono::milliseconds timeout, Done done) {
  const auto type = std::string(router::ChannelType(cid));
  if (type.empty() || user.empty()) {
    http_.After(std::chrono::milliseconds{0}, {}, [done = std::move(done)] {
      done({Answer::kNotMember, std::nullopt});
    });
    return;
  }
  const Json payload = Json::MakeObject(
      {{"type", type},
       {"id", ChannelIdOf(cid)},
       {"filter_conditions", Json::MakeObject({{"id", Json::MakeObject({{"$eq", user.text()}})}})},
       {"sort", Json::MakeArray()},
       {"limit", 1}});
  router::HttpRequest request = api_.Get({"members"}, {{"payload", payload.Dump()}});
  request.timeout = timeout;
  request.connect_timeout = std::min(request.connect_timeout, timeout);
  http_.Send(std::move(request), {},
             [user, done = std::move(done), &clock = clock_](const router::HttpOutcome& outcome) {
               done(ReadMembership(ReadReply(outcome, clock.Now()), user));
             });
}

}  // namespace writ::connectors
