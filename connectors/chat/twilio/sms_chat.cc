#include "connectors/chat/twilio/sms_chat.h"

#include <vector>

#include "connectors/chat/twilio/intake.h"
#include "router/base/failure.h"

namespace writ::connectors {

using std::chrono::milliseconds;

void SmsChat::Send(const router::Post& post, std::stop_token stop, router::PostDone done) {
  if (auto refused = RefusalFor(std::string(SmsNumberOf(post.cid.text())))) {
    client_->http().After(milliseconds{0}, {},
                          [refused = *std::move(refused), done = std::move(done)] {
                            done({refused, ""});
                          });
    return;
  }
  std::make_shared<SmsPosting>(client_, post, words_, std::move(stop), std::move(done))->Start();
}

std::optional<router::ChatFailure> SmsChat::RefusalFor(const std::string& number) const {
  using router::ChatFailure;
  try {
    if (!wants_none_(number)) return std::nullopt;
  } catch (const router::Failure& failure) {
    return ChatFailure{ChatFailure::Kind::kTransient, failure.what(), std::nullopt};
  }
  return ChatFailure{ChatFailure::Kind::kRefused, "the number wants no messages", std::nullopt};
}

void SmsChat::Edit(const router::Post& post, std::stop_token stop, router::PostDone done) {
  Send(post, std::move(stop), std::move(done));
}

void SmsChat::Indicate(const router::Cid& /*cid*/, const router::UserId& /*agent_user*/,
                       const router::MessageId& /*message*/, router::Indicator /*indicator*/) {}

void SmsChat::History(const router::Cid& /*cid*/,
                      const std::optional<router::MessageId>& /*thread*/,
                      const router::UserId& /*agent_user*/, int /*limit*/, std::stop_token /*stop*/,
                      HistoryDone done) {
  client_->http().After(milliseconds{0}, {},
                        [done = std::move(done)] { done(std::vector<router::HistoryMessage>{}); });
}

void SmsChat::Missed(const router::Cid& /*cid*/, router::TimePoint /*since*/,
                     std::stop_token /*stop*/, MissedDone done) {
  client_->http().After(milliseconds{0}, {},
                        [done = std::move(done)] { done(std::vector<router::ChannelEvent>{}); });
}

void SmsChat::EnsureAgentUser(const router::UserId& /*agent_user*/, router::ChatDone done) {
  client_->http().After(milliseconds{0}, {}, [done = std::move(done)] { done(std::nullopt); });
}

void SmsMembers::Ask(const router::Cid& cid, const router::UserId& user, milliseconds /*timeout*/,
                     Done done) {
  using Answer = router::Membership::Answer;
  const bool is_theirs = cid.text() == user.text() && !SmsNumberOf(user.text()).empty();
  http_.After(milliseconds{0}, {}, [is_theirs, done = std::move(done)] {
    done({is_theirs ? Answer::kMember : Answer::kNotMember, std::nullopt});
  });
}

}  // namespace writ::connectors
