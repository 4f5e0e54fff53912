#include "connectors/chat/stream/stream_chat.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "connectors/chat/stream/history_reader.h"
#include "connectors/chat/stream/missed_reader.h"
#include "connectors/chat/stream/stream_failure.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::ChatFailure;
using router::Json;

constexpr router::Chat::Pace kPace{std::chrono::milliseconds{1000}, std::chrono::milliseconds{150}};
// The message's next face waits for one that is on its way.
constexpr std::chrono::milliseconds kGrowTimeout{2000};

Json TextsOf(const std::vector<router::UserId>& ids) {
  Json::Array texts;
  for (const router::UserId& id : ids) texts.emplace_back(id.text());
  return texts;
}

// What a post and its later faces have in common.
Json FaceOf(const router::Post& post) {
  Json face = Json::MakeObject({{"text", post.text},
                                {"attachments", Json(Json::Array(post.attachments))},
                                {"mentioned_users", TextsOf(post.mentioned)},
                                {"ai_generated", true}});
  if (!post.runtime.IsNull()) face.Set("support_runtime", post.runtime);
  return face;
}

}  // namespace

StreamChat::StreamChat(StreamSettings settings, router::HttpClient& http,
                       const router::Clock& clock)
    : settings_(std::move(settings)), api_(settings_.access), http_(http), clock_(clock) {}

void StreamChat::Send(const router::Post& post, std::stop_token stop, router::PostDone done) {
  if (auto unfit = WhyUnfit(post)) return Fail(*std::move(unfit), std::move(done));
  Json message = FaceOf(post);
  message.Set("id", post.id.text());
  message.Set("user_id", post.agent_user.text());
  if (post.thread) message.Set("parent_id", post.thread->text());
  Run(api_.Write("POST",
                 {"channels", router::ChannelType(post.cid), ChannelIdOf(post.cid), "message"},
                 Json::MakeObject({{"message", std::move(message)}, {"skip_enrich_url", true}})),
      std::move(stop), std::move(done));
}

void StreamChat::Edit(const router::Post& post, std::stop_token stop, router::PostDone done) {
  if (auto unfit = WhyUnfit(post)) return Fail(*std::move(unfit), std::move(done));
  Run(api_.Write("PUT", {"messages", post.id.text()},
                 Json::MakeObject({{"set", FaceOf(post)},
                                   {"user_id", post.agent_user.text()},
                                   {"skip_enrich_url", true}})),
      std::move(stop), std::move(done));
}

std::optional<router::Chat::Pace> StreamChat::PaceOfGrowing() const { return kPace; }

void StreamChat::Grow(const router::Post& post, std::stop_token stop, router::ChatDone done) {
  router::HttpRequest request =
      api_.Write("PATCH", {"messages", post.id.text(), "ephemeral"},
                 Json::MakeObject({{"set", Json::MakeObject({{"text", post.text}})},
                                   {"user_id", post.agent_user.text()}}));
  request.timeout = kGrowTimeout;
  Run(std::move(request), std::move(stop),
      [done = std::move(done)](const router::Posted& shown) { done(shown.failure); });
}

void StreamChat::Indicate(const router::Cid& cid, const router::UserId& agent_user,
                          const router::MessageId& message, router::Indicator indicator) {
  Json event = Json::MakeObject({{"user_id", agent_user.text()}, {"message_id", message.text()}});
  switch (indicator) {
    case router::Indicator::kThinking:
      event.Set("type", "ai_indicator.update");
      event.Set("ai_state", "AI_STATE_THINKING");
      break;
    case router::Indicator::kGenerating:
      event.Set("type", "ai_indicator.update");
      event.Set("ai_state", "AI_STATE_GENERATING");
      break;
    case router::Indicator::kClear:
      event.Set("type", "ai_indicator.clear");
      break;
  }
  http_.Send(api_.Write("POST", {"channels", router::ChannelType(cid), ChannelIdOf(cid), "event"},
                        Json::MakeObject({{"event", std::move(event)}})),
             {}, [](const router::HttpOutcome&) {});
}

void StreamChat::History(const router::Cid& cid, const std::optional<router::MessageId>& thread,
                         const router::UserId& agent_user, int limit, std::stop_token stop,
                         HistoryDone done) {
  HistoryReader::Wish wish{cid, thread, agent_user, limit};
  HistoryReader::Start(api_, http_, clock_, std::move(wish), std::move(stop), std::move(done));
}

void StreamChat::Missed(const router::Cid& cid, router::TimePoint since, std::stop_token stop,
                        MissedDone done) {
  MissedReader::Wish wish{settings_.app, cid, since, settings_.agent_users};
  MissedReader::Start(api_, http_, clock_, std::move(wish), std::move(stop), std::move(done));
}

// An upsert drops what it does not send, a customer's name and picture of the bot for instance: so
// it is made only where the service does not say that the user is there.
void StreamChat::EnsureAgentUser(const router::UserId& agent_user, router::ChatDone done) {
  const Json filter = Json::MakeObject(
      {{"filter_conditions",
        Json::MakeObject({{"id", Json::MakeObject({{"$eq", agent_user.text()}})}})},
       {"limit", 1}});
  const Json user = Json::MakeObject({{"id", agent_user.text()}, {"role", "user"}});
  router::HttpRequest upsert =
      api_.Write("POST", {"users"},
                 Json::MakeObject({{"users", Json::MakeObject({{agent_user.text(), user}})}}));
  http_.Send(api_.Get({"users"}, {{"payload", filter.Dump()}}), {},
             [upsert = std::move(upsert), agent_user, done = std::move(done), &http = http_,
              &clock = clock_](const router::HttpOutcome& outcome) mutable {
               const StreamReply reply = ReadReply(outcome, clock.Now());
               const Json* users = reply.body.Find("users");
               if (!reply.failure && users != nullptr && users->IsArray()) {
                 for (const Json& found : users->array()) {
                   if (found.TextAt("id") == agent_user.text()) return done(std::nullopt);
                 }
               }
               http.Send(std::move(upsert), {},
                         [done = std::move(done), &clock](const router::HttpOutcome& upserted) {
                           done(ReadReply(upserted, clock.Now()).failure);
                         });
             });
}

std::optional<ChatFailure> StreamChat::WhyUnfit(const router::Post& post) const {
  const auto refused = [&](const std::string& why) {
    return ChatFailure{ChatFailure::Kind::kRefused, "message " + post.id.text() + ": " + why,
                       std::nullopt};
  };
  if (router::CountCharacters(post.text) > settings_.text_limit) {
    return refused("its text is longer than " + std::to_string(settings_.text_limit));
  }
  if (post.attachments.size() > kStreamAttachments) return refused("more than 30 attachments");
  if (Json(Json::Array(post.attachments)).Dump().size() > kStreamAttachmentBytes) {
    return refused("its attachments are larger than 5 KB");
  }
  if (post.attachments.empty() && router::Trim(post.text).empty()) {
    return refused("it is empty");
  }
  return std::nullopt;
}

void StreamChat::Fail(ChatFailure failure, router::PostDone done) {
  http_.After(std::chrono::milliseconds{0}, {},
              [failure = std::move(failure), done = std::move(done)] {
                done({failure, ""});
              });
}

void StreamChat::Run(router::HttpRequest request, std::stop_token stop, router::PostDone done) {
  http_.Send(std::move(request), std::move(stop),
             [done = std::move(done), &clock = clock_](const router::HttpOutcome& outcome) {
               done({ReadReply(outcome, clock.Now()).failure, ""});
             });
}

}  // namespace writ::connectors
