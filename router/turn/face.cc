#include "router/turn/face.h"

#include <algorithm>
#include <string_view>

#include "router/base/text.h"
#include "router/turn/answer_code.h"
#include "router/turn/call_words.h"
#include "router/turn/face_text.h"
#include "router/turn/fit_steps.h"
#include "router/turn/step.h"

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

// Whether what the step says of the ask is all that there is to see.
bool IsWhole(const Call& call, const std::vector<Json>& steps, const FaceWords& words) {
  const auto step = std::ranges::find_if(
      steps, [&](const Json& one) { return one.TextAt("id") == call.id.text(); });
  if (step == steps.end() || ShownOf(call).cut) return false;
  const Json* ask = step->Find("approval");
  return ask != nullptr && ask->TextAt("message") == AskMessage(call, ShownOf(call), words);
}

std::vector<PostedAsk> AsksOf(const Turn& turn, const std::vector<Json>& steps,
                              const FaceWords& words) {
  std::vector<PostedAsk> asks;
  for (const Call& call : turn.calls) {
    const ApprovalRecord* record = StandingAsk(call);
    if (call.state != CallState::kHeld || record == nullptr || WhoAnswers(call).empty()) continue;
    PostedAsk ask;
    ask.approval = record->id;
    ask.call = call.id;
    ask.asked = WhoAnswers(call);
    ask.name = ShownName(call);
    ask.is_question = call.question.has_value();
    ask.is_whole = IsWhole(call, steps, words);
    ask.arguments_characters = CountCharacters(record->arguments);
    ask.code = AnswerCodeOf(*record);
    asks.push_back(std::move(ask));
  }
  return asks;
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
  post.asks = AsksOf(turn, post.attachments, {texts, limits.inbox_url});
  return post;
}

Post GrowingFaceOf(const Turn& turn, const UserId& agent_user, const FaceLimits& limits,
                   TimePoint now, std::string_view reply, const Texts& texts) {
  Post post = FaceOf(turn, agent_user, limits, now, texts);
  post.text = FirstCharacters(Trim(reply), limits.text_characters);
  return post;
}

}  // namespace writ::router
