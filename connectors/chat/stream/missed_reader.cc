#include "connectors/chat/stream/missed_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "connectors/chat/stream/message.h"
#include "connectors/chat/stream/stream_failure.h"
#include "connectors/chat/stream/wire.h"

namespace writ::connectors {
namespace {

using router::Json;

// Bounds of one catching-up: what a channel says in a quarter of an hour is far less.
constexpr int kPages = 10;
constexpr std::size_t kThreads = 20;

router::TimePoint CreatedAt(const Json& message) {
  return ReadStreamTime(message.Find("created_at")).value_or(router::TimePoint{});
}

}  // namespace

void MissedReader::Start(const StreamApi& api, router::HttpClient& http, const router::Clock& clock,
                         Wish wish, std::stop_token stop, router::Chat::MissedDone done) {
  std::shared_ptr<MissedReader>(
      new MissedReader(api, http, clock, std::move(wish), std::move(stop), std::move(done)))
      ->ReadPage(std::nullopt);
}

MissedReader::MissedReader(const StreamApi& api, router::HttpClient& http,
                           const router::Clock& clock, Wish wish, std::stop_token stop,
                           router::Chat::MissedDone done)
    : api_(api),
      http_(http),
      clock_(clock),
      wish_(std::move(wish)),
      stop_(std::move(stop)),
      done_(std::move(done)) {}

void MissedReader::ReadPage(const std::optional<router::MessageId>& before) {
  ++pages_;
  http_.Send(api_.ChannelMessages(wish_.cid, StreamApi::kPage, before), stop_,
             [self = shared_from_this()](const router::HttpOutcome& outcome) {
               StreamReply reply = ReadReply(outcome, self->clock_.Now());
               if (reply.failure) return self->done_(*std::move(reply.failure));
               self->TakePage(reply.body);
             });
}

void MissedReader::TakePage(const Json& body) {
  is_shared_ = IsSharedChannel(body);
  const Json* rows = body.Find("messages");
  if (rows == nullptr || !rows->IsArray() || rows->array().empty()) return ReadNextThread();
  std::vector<const Json*> oldest_first;
  for (const Json& row : rows->array()) oldest_first.push_back(&row);
  std::ranges::stable_sort(oldest_first, {},
                           [](const Json* message) { return CreatedAt(*message); });
  std::for_each(oldest_first.rbegin(), oldest_first.rend(), [&](const Json* message) {
    Take(*message);
    if (message->IntAt("reply_count").value_or(0) > 0 && threads_.size() < kThreads) {
      threads_.emplace_back(message->TextAt("id"));
    }
  });
  const Json& oldest = *oldest_first.front();
  const bool more = std::ssize(oldest_first) >= StreamApi::kPage && pages_ < kPages &&
                    CreatedAt(oldest) > wish_.since;
  more ? ReadPage(router::MessageId(oldest.TextAt("id"))) : ReadNextThread();
}

void MissedReader::ReadNextThread() {
  if (next_thread_ == threads_.size()) return Finish();
  const router::MessageId& parent = threads_[next_thread_++];
  http_.Send(api_.Replies(parent, StreamApi::kPage), stop_,
             [self = shared_from_this()](const router::HttpOutcome& outcome) {
               StreamReply reply = ReadReply(outcome, self->clock_.Now());
               if (reply.failure && reply.failure->kind != router::ChatFailure::Kind::kMissing) {
                 return self->done_(*std::move(reply.failure));
               }
               const Json* rows = reply.body.Find("messages");
               if (rows != nullptr && rows->IsArray()) {
                 for (const Json& row : rows->array()) self->Take(row);
               }
               self->ReadNextThread();
             });
}

void MissedReader::Take(const Json& message) {
  auto event = NewMessageEvent(message, wish_.agent_users);
  if (!event || event->created_at <= wish_.since || event->ignored_because == "own") return;
  if (!seen_.insert(event->message).second) return;
  event->app = wish_.app;
  event->cid = wish_.cid;
  event->shared = is_shared_;
  event->actor = event->author;
  event->delivery = "catch-up";
  // Whoever edited the text meanwhile, a moderator for instance, is told in no reply: these may
  // not be the author's words, so nothing is done in the author's name.
  if (event->ignored_because.empty() && IsSet(message.Find("message_text_updated_at"))) {
    event->ignored_because = "edited";
  }
  events_.push_back(*std::move(event));
}

void MissedReader::Finish() {
  std::ranges::stable_sort(events_, {}, &router::ChannelEvent::created_at);
  done_(std::move(events_));
}

}  // namespace writ::connectors
