#include "bot/streams/session_feed.h"

#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <variant>

namespace writ::bot {

using router::Json;
using router::SessionId;
using router::SessionNews;

namespace {

// Polling is the truth: what other nodes wrote is told within that time.
constexpr std::chrono::milliseconds kPollEvery{1000};
constexpr std::size_t kSessionsALook = 200;

}  // namespace

void SessionFeed::Follow(const router::Session& session, const Start& start,
                         std::shared_ptr<Stream> stream, Encode encode) {
  auto follower = std::make_shared<Follower>();
  follower->watched = {session.app, session.id, std::nullopt};
  follower->stream = std::move(stream);
  follower->encode = std::move(encode);
  if (const auto* seen = std::get_if<std::int64_t>(&start)) {
    follower->watched.after = *seen;
  } else {
    Tell(*follower, std::get<SessionNews>(start));
  }
  bool is_to_look = false;
  bool is_to_poll = false;
  {
    const std::lock_guard lock(mutex_);
    followers_[session.id].push_back(std::move(follower));
    changed_.insert(session.id);
    is_to_look = MustLook();
    is_to_poll = !std::exchange(is_polling_, true);
  }
  if (is_to_look) LookSoon();
  if (is_to_poll) Poll();
}

void SessionFeed::Changed(const SessionId& session) {
  {
    const std::lock_guard lock(mutex_);
    if (!followers_.contains(session)) return;
    changed_.insert(session);
    if (!MustLook()) return;
  }
  LookSoon();
}

void SessionFeed::Grow(const router::ReplyGrowth& growth) {
  std::vector<std::shared_ptr<Follower>> followers;
  {
    const std::lock_guard lock(mutex_);
    const auto found = followers_.find(growth.session);
    if (found == followers_.end()) return;
    followers = found->second;
  }
  const Json data = Json::MakeObject({{"command_id", growth.command.text()},
                                      {"text", growth.delta.text},
                                      {"anew", growth.delta.anew}});
  for (const auto& follower : followers) {
    follower->stream->Send(follower->encode("", "reply.delta", data));
  }
}

void SessionFeed::LookSoon() {
  if (jobs_.Offer([this] { Look(); })) return;
  const std::lock_guard lock(mutex_);
  is_looking_ = false;  // the next poll tries again
}

void SessionFeed::Look() {
  try {
    while (LookOnce()) {
    }
  } catch (const std::exception& fault) {  // the store is away: the next poll tries again
    log_.Warn("feed.hindered", {{"why", fault.what()}});
    const std::lock_guard lock(mutex_);
    is_looking_ = false;
  }
}

bool SessionFeed::LookOnce() {
  std::vector<std::shared_ptr<Follower>> followers;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < kSessionsALook && !changed_.empty(); ++i) {
      const SessionId session = std::move(changed_.extract(changed_.begin()).value());
      const auto found = followers_.find(session);
      if (found == followers_.end()) continue;
      std::erase_if(found->second, [](const auto& one) { return one->stream->IsOver(); });
      followers.insert(followers.end(), found->second.begin(), found->second.end());
      if (found->second.empty()) followers_.erase(found);
    }
    if (followers.empty() && changed_.empty()) {
      is_looking_ = false;
      return false;
    }
  }
  std::vector<router::SessionLedger::Watched> watched;
  watched.reserve(followers.size());
  for (const auto& follower : followers) watched.push_back(follower->watched);
  const std::vector<SessionNews> news = sessions_.News(watched);
  for (std::size_t i = 0; i < followers.size(); ++i) {
    Tell(*followers[i], news[i]);
    if (!news[i].more) continue;
    const std::lock_guard lock(mutex_);
    changed_.insert(followers[i]->watched.session);
  }
  return true;
}

void SessionFeed::Tell(Follower& follower, const SessionNews& news) {
  for (std::size_t i = 0; i < news.turns.size(); ++i) {
    const router::Turn& turn = news.turns[i];
    std::vector<router::TurnNews> told = NewsOf(turn, follower.told[turn.id]);
    // All events of a change go before whoever comes back is past it.
    for (std::size_t at = 0; at < told.size(); ++at) {
      const std::string id = at + 1 == told.size() ? std::to_string(news.at[i]) : "";
      follower.stream->Send(follower.encode(id, told[at].type, std::move(told[at].data)));
    }
    if (HasEnded(turn.state)) follower.told.erase(turn.id);
  }
  follower.watched.after = news.until;
  if (news.state == SessionNews::State::kOpen || news.more) return;
  follower.stream->Send(
      follower.encode(std::to_string(news.until), "session.closed",
                      Json::MakeObject({{"session_id", follower.watched.session.text()}})));
  follower.stream->End();
}

void SessionFeed::Poll() {
  http_.After(kPollEvery, {}, [this] {
    bool is_to_look = false;
    {
      const std::lock_guard lock(mutex_);
      if (followers_.empty()) {
        is_polling_ = false;
        return;
      }
      for (const auto& [session, its] : followers_) changed_.insert(session);
      is_to_look = MustLook();
    }
    if (is_to_look) LookSoon();
    Poll();
  });
}

}  // namespace writ::bot
