#include "router/flow/growing_replies.h"

#include <algorithm>
#include <utility>

#include "router/base/failure.h"
#include "router/base/text.h"

namespace writ::router {
namespace {

using std::chrono::milliseconds;

// After a failure of the platform's that names no time of its own.
constexpr milliseconds kPauseAfterFailure{5000};

}  // namespace

void GrowingReplies::Begin(const Claim& claim, std::shared_ptr<const Turn> turn,
                           WantMessage want_message) {
  const std::lock_guard lock(mutex_);
  Reply& reply = replies_[claim.turn];  // one of an earlier step may still be on its way
  reply.fence = claim.fence;
  reply.turn = std::move(turn);
  reply.want_message = std::move(want_message);
  reply.text.clear();
  reply.has_news = false;
  reply.has_ended = false;
}

void GrowingReplies::Grow(const Claim& claim, const ReplyDelta& delta) {
  std::shared_ptr<const Turn> turn;
  bool is_first = false;
  std::optional<milliseconds> delay;
  {
    const std::lock_guard lock(mutex_);
    const auto found = replies_.find(claim.turn);
    if (found == replies_.end() || found->second.fence != claim.fence) return;
    Reply& reply = found->second;
    if (reply.has_ended) return;
    turn = reply.turn;
    is_first = reply.text.empty();
    if (delta.anew) reply.text.clear();
    reply.text += delta.text;
    reply.has_news = true;
    delay = TakeSlot(reply);
  }
  listener_({turn->app, turn->session, turn->id, delta});
  if (is_first) Indicate(*turn);
  if (delay) ShowAfter(turn->id, *delay);
}

void GrowingReplies::Indicate(const Turn& turn) const {
  const AppSetup* app = directory_.FindApp(turn.app);
  const AgentSetup* agent = directory_.FindAgent(turn.app, turn.agent);
  if (turn.cid.empty() || app == nullptr || agent == nullptr) return;
  app->chat->Indicate(turn.cid, agent->user, FaceMessageId(turn.id), Indicator::kGenerating);
}

void GrowingReplies::End(const Claim& claim) {
  const std::lock_guard lock(mutex_);
  const auto found = replies_.find(claim.turn);
  if (found != replies_.end() && found->second.fence == claim.fence) EndLocked(found);
}

void GrowingReplies::End(const CommandId& turn) {
  const std::lock_guard lock(mutex_);
  if (const auto found = replies_.find(turn); found != replies_.end()) EndLocked(found);
}

void GrowingReplies::EndLocked(Replies::iterator found) {
  if (found->second.is_out) {
    found->second.has_ended = true;  // whoever waits for it is called when it is there
  } else {
    replies_.erase(found);
  }
}

void GrowingReplies::WhenQuiet(const CommandId& turn, std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = replies_.find(turn);
    if (found != replies_.end() && found->second.is_out) {
      found->second.when_quiet.push_back(std::move(then));
      return;
    }
  }
  then();
}

std::optional<milliseconds> GrowingReplies::TakeSlot(Reply& reply) {
  if (!reply.has_news || reply.has_timer || reply.is_out || reply.turn->cid.empty()) {
    return std::nullopt;
  }
  const AppSetup* app = directory_.FindApp(reply.turn->app);
  const auto pace = app == nullptr ? std::nullopt : app->chat->PaceOfGrowing();
  if (!pace) return std::nullopt;
  const SteadyPoint now = ports_.clock.Steady();
  SteadyPoint& next = next_slot_[reply.turn->app];
  const SteadyPoint slot = std::max(now + pace->of_message, next);
  next = slot + pace->of_app;
  reply.has_timer = true;
  return std::chrono::ceil<milliseconds>(slot - now);
}

// A worker that has better things to do leaves it out: the next piece tries again.
void GrowingReplies::ShowAfter(const CommandId& turn, milliseconds delay) {
  ports_.http.After(delay, {}, [this, turn] {
    if (ports_.jobs.Offer([this, turn] { Show(turn); })) return;
    const std::lock_guard lock(mutex_);
    if (const auto found = replies_.find(turn); found != replies_.end()) {
      found->second.has_timer = false;
    }
  });
}

void GrowingReplies::Show(const CommandId& turn) {
  Reply shown;
  {
    const std::lock_guard lock(mutex_);
    const auto found = replies_.find(turn);
    if (found == replies_.end()) return;
    Reply& reply = found->second;
    reply.has_timer = false;
    if (reply.has_ended || reply.is_out || !reply.has_news) return;
    // Before the turn is looked at: whoever moves it after that look finds this on its way.
    reply.is_out = true;
    reply.has_news = false;
    shown.turn = reply.turn;
    shown.text = reply.text;
    shown.want_message = reply.want_message;
  }
  std::optional<Post> post;
  try {
    post = TryPost(shown);
  } catch (const Failure&) {  // the store is away: the next piece tries again
  }
  const AppSetup* app = directory_.FindApp(shown.turn->app);
  if (!post || app == nullptr) {
    Shown(turn, std::nullopt);
    return;
  }
  app->chat->Grow(
      *post, {}, [this, turn](const std::optional<ChatFailure>& failure) { Shown(turn, failure); });
}

std::optional<Post> GrowingReplies::TryPost(const Reply& shown) {
  const Turn& turn = *shown.turn;
  const AppSetup* app = directory_.FindApp(turn.app);
  const AgentSetup* agent = directory_.FindAgent(turn.app, turn.agent);
  if (app == nullptr || agent == nullptr || !node_.ClaimsHold() || Trim(shown.text).empty())
    return std::nullopt;
  if (turn.revision == 0) {
    WantTheMessage(shown);
    return std::nullopt;
  }
  const std::optional<Turn> standing = ports_.turns.Find(turn.app, turn.id);
  if (!standing || HasEnded(standing->state) || standing->revision != turn.revision) {
    End(turn.id);
    return std::nullopt;
  }
  return GrowingFaceOf(turn, agent->user, app->face, ports_.clock.Now(), shown.text,
                       agent->texts.For(turn.language));
}

// The text is shown once the message stands, by the next piece.
void GrowingReplies::WantTheMessage(const Reply& shown) {
  std::optional<Turn> turn = shown.want_message();
  if (!turn) {
    End(shown.turn->id);
    return;
  }
  const std::lock_guard lock(mutex_);
  const auto found = replies_.find(turn->id);
  if (found == replies_.end() || found->second.turn != shown.turn) return;
  found->second.turn = std::make_shared<const Turn>(*std::move(turn));
  found->second.has_news = true;
}

void GrowingReplies::Shown(const CommandId& turn, const std::optional<ChatFailure>& failure) {
  std::vector<std::function<void()>> when_quiet;
  std::optional<milliseconds> delay;
  {
    const std::lock_guard lock(mutex_);
    const auto found = replies_.find(turn);
    if (found == replies_.end()) return;
    Reply& reply = found->second;
    reply.is_out = false;
    when_quiet = std::exchange(reply.when_quiet, {});
    if (failure) TakeFailure(reply, *failure);
    if (reply.has_ended) {
      replies_.erase(found);
    } else {
      delay = TakeSlot(reply);
    }
  }
  for (const auto& then : when_quiet) then();
  if (delay) ShowAfter(turn, *delay);
}

void GrowingReplies::TakeFailure(Reply& reply, const ChatFailure& failure) {
  switch (failure.kind) {
    case ChatFailure::Kind::kTransient: {
      SteadyPoint& next = next_slot_[reply.turn->app];
      next =
          std::max(next, ports_.clock.Steady() + failure.retry_after.value_or(kPauseAfterFailure));
      reply.has_news = true;
      return;
    }
    case ChatFailure::Kind::kMissing:  // its first face is not there yet
    case ChatFailure::Kind::kAlreadyThere:
      reply.has_news = true;
      return;
    case ChatFailure::Kind::kRefused:
      reply.has_ended = true;
      return;
  }
}

}  // namespace writ::router
