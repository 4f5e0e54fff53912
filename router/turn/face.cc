#include "router/turn/face.h"

#include <algorithm>
#include <string_view>

#include "router/base/text.h"
#include "router/turn/face_text.h"
#include "router/turn/fit_steps.h"

namespace writ::router {
namespace {

std::string_view RuntimeState(TurnState state) {
  switch (state) {
    case TurnState::kQueued:
    case TurnState::kThinking:
    case TurnState::kCalling:
      return "running";
    case TurnState::kAwaitingApproval:
    case TurnState::kCompleted:
    case TurnState::kFailed:
    case TurnState::kCancelled:
      return NameOf(state);
  }
  return "";
}

std::vector<UserId> AskedIn(const Turn& turn) {
  std::vector<UserId> asked;
  for (const Call& call : turn.calls) {
    if (call.state != CallState::kHeld) continue;
    const UserId user = WhoAnswers(call);
    if (!user.empty() && std::ranges::find(asked, user) == asked.end()) asked.push_back(user);
  }
  return asked;
}

}  // namespace

MessageId FaceMessageId(const CommandId& command) { return MessageId("writ-" + command.text()); }

Post FaceOf(const Turn& turn, const UserId& agent_user, const FaceLimits& limits, TimePoint now,
            const Texts& texts) {
  Post post;
  post.cid = turn.cid;
  post.id = FaceMessageId(turn.id);
  post.thread = turn.thread;
  post.agent_user = agent_user;
  post.text = FaceTextOf(turn, limits, now, texts);
  post.attachments = FitSteps(turn, limits, texts);
  post.runtime =
      Json::MakeObject({{"state", RuntimeState(turn.state)}, {"command_id", turn.id.text()}});
  post.mentioned = AskedIn(turn);
  return post;
}

Post GrowingFaceOf(const Turn& turn, const UserId& agent_user, const FaceLimits& limits,
                   TimePoint now, std::string_view reply, const Texts& texts) {
  Post post = FaceOf(turn, agent_user, limits, now, texts);
  post.text = FirstCharacters(Trim(reply), limits.text_characters);
  return post;
}

}  // namespace writ::router
