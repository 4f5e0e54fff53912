#include "connectors/chat/slack/slack_chat.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/chat/slack/conversation_reader.h"
#include "connectors/chat/slack/message.h"
#include "connectors/chat/slack/posting.h"
#include "connectors/chat/slack/slack_ids.h"
#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::ChatFailure;
using router::Json;

constexpr int kPage = 200;
constexpr int kPages = 25;  // a thread is read from its beginning

SlackReader ReaderOf(const SlackChannel& channel, const SlackSelf& self) {
  SlackReader reader;
  reader.place = {channel.team, self.enterprise};
  reader.bot_user = self.bot_user;
  reader.shared_with_others = true;  // it is not told here, so nobody is taken for one of ours
  return reader;
}

std::vector<router::HistoryMessage> HistoryOf(const SlackReader& reader,
                                              const SlackChannel& channel,
                                              const std::vector<Json>& messages,
                                              std::size_t limit) {
  std::vector<router::HistoryMessage> history;
  for (const Json& message : messages) {
    if (auto read = SlackHistoryMessage(reader, channel.id, message)) {
      history.push_back(*std::move(read));
    }
  }
  std::ranges::stable_sort(history, {}, &router::HistoryMessage::created_at);
  if (history.size() <= limit) return history;
  // Of a thread the message that it hangs from stays, whatever the limit.
  const auto first = history.begin() + (channel.thread.empty() ? 0 : 1);
  history.erase(first, first + static_cast<std::ptrdiff_t>(history.size() - limit));
  return history;
}

std::vector<router::ChannelEvent> EventsOf(const router::AppId& app, const SlackReader& reader,
                                           const SlackChannel& channel, router::TimePoint since,
                                           const std::vector<Json>& messages) {
  std::vector<router::ChannelEvent> events;
  for (const Json& message : messages) {
    auto event = SlackMessageEvent(reader, channel.id, message);
    if (!event || event->created_at < since) continue;
    event->app = app;
    events.push_back(*std::move(event));
  }
  std::ranges::stable_sort(events, {}, &router::ChannelEvent::created_at);
  return events;
}

}  // namespace

void SlackChat::Send(const router::Post& post, std::stop_token stop, router::PostDone done) {
  std::make_shared<SlackPosting>(client_, post, settings_.words, std::move(stop), std::move(done))
      ->Send();
}

void SlackChat::Edit(const router::Post& post, std::stop_token stop, router::PostDone done) {
  std::make_shared<SlackPosting>(client_, post, settings_.words, std::move(stop), std::move(done))
      ->Update();
}

void SlackChat::Indicate(const router::Cid& /*cid*/, const router::UserId& /*agent_user*/,
                         const router::MessageId& /*message*/, router::Indicator /*indicator*/) {}

void SlackChat::History(const router::Cid& cid, const std::optional<router::MessageId>& thread,
                        const router::UserId& /*agent_user*/, int limit, std::stop_token stop,
                        HistoryDone done) {
  SlackChannel channel = SlackChannelOf(cid);
  if (thread) channel.thread = thread->text();
  const auto most = static_cast<std::size_t>(std::max(limit, 0));
  client_->WhoAmI(stop, [client = client_, channel, most, stop, done = std::move(done)](auto self) {
    if (auto* failure = std::get_if<ChatFailure>(&self)) return done(std::move(*failure));
    ConversationReader::Wish wish{channel.id, channel.thread, "",
                                  channel.thread.empty() ? 1 : kPages, kPage};
    ConversationReader::Start(
        client, std::move(wish), stop,
        [channel, most, done, reader = ReaderOf(channel, std::get<SlackSelf>(self))](auto read) {
          if (auto* failure = std::get_if<ChatFailure>(&read)) return done(std::move(*failure));
          done(HistoryOf(reader, channel, std::get<std::vector<Json>>(read), most));
        });
  });
}

void SlackChat::Missed(const router::Cid& cid, router::TimePoint since, std::stop_token stop,
                       MissedDone done) {
  const SlackChannel channel = SlackChannelOf(cid);
  client_->WhoAmI(stop, [client = client_, app = settings_.app, channel, since, stop,
                         done = std::move(done)](auto self) {
    if (auto* failure = std::get_if<ChatFailure>(&self)) return done(std::move(*failure));
    ConversationReader::Wish wish{channel.id, channel.thread, SlackTs(since), kPages, kPage};
    ConversationReader::Start(
        client, std::move(wish), stop,
        [app, channel, since, done,
         reader = ReaderOf(channel, std::get<SlackSelf>(self))](auto read) {
          if (auto* failure = std::get_if<ChatFailure>(&read)) return done(std::move(*failure));
          done(EventsOf(app, reader, channel, since, std::get<std::vector<Json>>(read)));
        });
  });
}

void SlackChat::EnsureAgentUser(const router::UserId& /*agent_user*/, router::ChatDone done) {
  client_->WhoAmI({}, [done = std::move(done)](auto self) {
    auto* failure = std::get_if<ChatFailure>(&self);
    done(failure == nullptr ? std::nullopt : std::optional(std::move(*failure)));
  });
}

}  // namespace writ::connectors
