#include "router/flow/deliver.h"

#include <algorithm>
#include <exception>
#include <typeinfo>
#include <utility>

#include "router/base/failure.h"
#include "router/flow/log_about.h"

namespace writ::router {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstRetry{250};
constexpr milliseconds kLongestRetry{30000};
constexpr milliseconds kStoreRetry{500};
// A message that the platform would not take for so long is given up, so that the channel's next
// one is shown; the API, the inbox and the backend have it all the same.
constexpr std::chrono::hours kLongestTry{24};

milliseconds RetryDelay(int attempts) {
  return std::min(kFirstRetry * (1 << std::min(attempts, 10)), kLongestRetry);
}

LineIds IdsOf(const Delivery& delivery) {
  if (delivery.turn) return IdsOf(*delivery.turn);
  return {.app = delivery.app.text(), .agent = delivery.agent.text(), .cid = delivery.cid.text()};
}

}  // namespace

std::size_t Deliver::Pump() {
  if (node_.IsDraining()) return 0;
  std::vector<Delivery> due = ports_.outbox.ClaimDeliveries(node_.id(), kBatch, ports_.clock.Now());
  const std::size_t count = due.size();
  for (Delivery& delivery : due) {
    try {
      SendOff(delivery);
    } catch (const std::exception& fault) {
      // A fault of ours in one must not leave the others of the batch claimed and unsent.
      GiveUp(delivery, typeid(fault).name());
    }
  }
  return count;
}

void Deliver::SendOff(const Delivery& delivery) {
  auto parcel = Wrap(delivery);
  if (!parcel) {
    GiveUp(delivery, "its agent is not configured any more");
    return;
  }
  auto shared = std::make_shared<Parcel>(*std::move(parcel));
  const auto send = [this, shared] { shared->delivery.posted ? Edit(shared) : Send(shared); };
  if (shared->delivery.turn) {
    growing_.WhenQuiet(shared->delivery.turn->id, send);  // no older text comes after this face
  } else {
    send();
  }
}

std::optional<Deliver::Parcel> Deliver::Wrap(Delivery delivery) const {
  const AppSetup* app = directory_.FindApp(delivery.app);
  const AgentSetup* agent = directory_.FindAgent(delivery.app, delivery.agent);
  if (app == nullptr || agent == nullptr) return std::nullopt;
  Post post;
  if (delivery.turn) {
    post = FaceOf(*delivery.turn, agent->user, app->face, ports_.clock.Now(),
                  agent->texts.For(delivery.turn->language));
    post.memo = delivery.memo;
  } else {
    post.cid = delivery.cid;
    std::string id = delivery.id;  // `notice:full:cmd_…`
    std::ranges::replace(id, ':', '-');
    post.id = MessageId("writ-" + id);
    post.thread = delivery.thread;
    post.agent_user = agent->user;
    post.text = agent->texts.For(delivery.language).InTheseWords(delivery.notice);
  }
  if (delivery.maybe_there) post.maybe_there_since = delivery.tried_since;
  return Parcel{std::move(delivery), std::move(post), app, false};
}

void Deliver::Send(const std::shared_ptr<Parcel>& parcel) {
  Parcel& sent = *parcel;
  sent.app->chat->Send(sent.post, {}, [this, parcel](Posted posted) {
    ports_.jobs.Run([this, parcel, posted = std::move(posted)] { OnOutcome(parcel, posted); });
  });
}

void Deliver::Edit(const std::shared_ptr<Parcel>& parcel) {
  Parcel& sent = *parcel;
  sent.app->chat->Edit(sent.post, {}, [this, parcel](Posted posted) {
    ports_.jobs.Run([this, parcel, posted = std::move(posted)] { OnOutcome(parcel, posted); });
  });
}

// Somebody took the message away while its turn goes on: what it asks or answers must be seen all
// the same. Where the platform keeps its name taken (a tombstone), there is nothing to be done; and
// what was cancelled, as by the deletion of what it answered, is better left away.
void Deliver::ShowAnew(const std::shared_ptr<Parcel>& parcel, const ChatFailure& failure) {
  const auto& turn = parcel->delivery.turn;
  if (parcel->anew || !parcel->delivery.posted || !turn || turn->state == TurnState::kCancelled) {
    GiveUp(*parcel, failure.what);
    return;
  }
  if (!node_.ClaimsHold()) {  // another node may have posted it by now
    Postpone(*parcel, failure);
    return;
  }
  parcel->anew = true;
  parcel->delivery.posted = false;
  parcel->delivery.memo.clear();
  parcel->post.memo.clear();
  parcel->post.maybe_there_since = parcel->delivery.tried_since;
  Send(parcel);
}

void Deliver::OnOutcome(const std::shared_ptr<Parcel>& parcel, Posted posted) {
  if (!posted.memo.empty()) {
    parcel->delivery.memo = posted.memo;
    parcel->post.memo = std::move(posted.memo);
  }
  const auto& failure = posted.failure;
  if (!failure) {
    Delivered(*parcel);
    return;
  }
  switch (failure->kind) {
    case ChatFailure::Kind::kAlreadyThere:
      // An earlier attempt came through, maybe with an older face: show the newest.
      if (parcel->delivery.posted) {
        Delivered(*parcel);
      } else {
        parcel->anew = true;
        parcel->delivery.posted = true;
        Edit(parcel);
      }
      return;
    case ChatFailure::Kind::kTransient:
      Postpone(*parcel, *failure);
      return;
    case ChatFailure::Kind::kMissing:
      ShowAnew(parcel, *failure);
      return;
    case ChatFailure::Kind::kRefused:
      GiveUp(*parcel, failure->what);
      return;
  }
}

void Deliver::Delivered(const Parcel& parcel) {
  ClearIndicator(parcel);  // before the commit: a start after a crash would not come back to it
  Keep([this, delivery = parcel.delivery] {
    ports_.outbox.Delivered(delivery, ports_.clock.Now());
    // The channel's next one; apart, for what was delivered must not be said twice.
    look_again_();
  });
}

void Deliver::ClearIndicator(const Parcel& parcel) {
  const auto& turn = parcel.delivery.turn;
  if (!turn || !HasEnded(turn->state)) return;
  parcel.app->chat->Indicate(parcel.post.cid, parcel.post.agent_user, parcel.post.id,
                             Indicator::kClear);
}

void Deliver::Postpone(const Parcel& parcel, const ChatFailure& failure) {
  const TimePoint now = ports_.clock.Now();
  const Delivery& delivery = parcel.delivery;
  if (delivery.failing_since && *delivery.failing_since + kLongestTry < now) {
    GiveUp(parcel, failure.what);
    return;
  }
  const milliseconds delay = failure.retry_after.value_or(RetryDelay(delivery.attempts));
  LogAbout(ports_.log, IdsOf(delivery))
      .Warn("post.postponed", {{"delivery", delivery.id},
                               {"why", failure.what},
                               {"delay_ms", std::to_string(delay.count())}});
  Keep([this, delivery, now, delay] { ports_.outbox.Postpone(delivery, now + delay); });
  ports_.http.After(delay, {}, [this] { ports_.jobs.Run([this] { Pump(); }); });
}

void Deliver::GiveUp(const Delivery& delivery, const std::string& why) {
  LogAbout(ports_.log, IdsOf(delivery))
      .Error("post.given_up", {{"delivery", delivery.id}, {"why", why}});
  Keep([this, delivery] { ports_.outbox.GiveUp(delivery); });
}

void Deliver::GiveUp(const Parcel& parcel, const std::string& why) {
  ClearIndicator(parcel);
  GiveUp(parcel.delivery, why);
}

void Deliver::Keep(std::function<void()> commit) {
  try {
    commit();
  } catch (const Failure& failure) {
    ports_.log.Warn("outbox.hindered", {{"why", failure.what()}});
    ports_.http.After(kStoreRetry, {}, [this, commit = std::move(commit)] {
      ports_.jobs.Run([this, commit] { Keep(commit); });
    });
  }
}

}  // namespace writ::router
