#include "connectors/chat/stream/history_reader.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "connectors/chat/stream/message.h"
#include "connectors/chat/stream/stream_failure.h"

namespace writ::connectors {

using router::Json;

void HistoryReader::Start(const StreamApi& api, router::HttpClient& http,
                          const router::Clock& clock, Wish wish, std::stop_token stop,
                          router::Chat::HistoryDone done) {
  wish.limit = std::min(wish.limit, StreamApi::kPage);
  if (wish.limit <= 0) {
    http.After(std::chrono::milliseconds{0}, {},
               [done = std::move(done)] { done(std::vector<router::HistoryMessage>{}); });
    return;
  }
  std::shared_ptr<HistoryReader>(
      new HistoryReader(api, http, clock, std::move(wish), std::move(stop), std::move(done)))
      ->ReadMessages();
}

HistoryReader::HistoryReader(const StreamApi& api, router::HttpClient& http,
                             const router::Clock& clock, Wish wish, std::stop_token stop,
                             router::Chat::HistoryDone done)
    : api_(api),
      http_(http),
      clock_(clock),
      wish_(std::move(wish)),
      stop_(std::move(stop)),
      done_(std::move(done)) {}

void HistoryReader::ReadMessages() {
  http_.Send(wish_.thread ? api_.Replies(*wish_.thread, wish_.limit)
                          : api_.ChannelMessages(wish_.cid, wish_.limit),
             stop_, [self = shared_from_this()](const router::HttpOutcome& outcome) {
               StreamReply reply = ReadReply(outcome, self->clock_.Now());
               if (reply.failure) return self->done_(*std::move(reply.failure));
               const Json* rows = reply.body.Find("messages");
               if (rows != nullptr && rows->IsArray()) {
                 for (const Json& row : rows->array()) self->Take(row);
               }
               self->wish_.thread ? self->ReadParent() : self->Finish();
             });
}

// The question that a thread hangs from is not among its replies. Without it (deleted meanwhile)
// the replies are still worth reading.
void HistoryReader::ReadParent() {
  http_.Send(api_.Get({"messages", wish_.thread->text()}), stop_,
             [self = shared_from_this()](const router::HttpOutcome& outcome) {
               StreamReply reply = ReadReply(outcome, self->clock_.Now());
               if (reply.failure && reply.failure->kind != router::ChatFailure::Kind::kMissing) {
                 return self->done_(*std::move(reply.failure));
               }
               if (const Json* parent = reply.body.Find("message")) self->Take(*parent);
               self->Finish();
             });
}

void HistoryReader::Take(const Json& message) {
  if (auto read = ReadHistoryMessage(message, wish_.agent_user)) {
    messages_.push_back(*std::move(read));
  }
}

// The order of the service's pages is not written down, so it is made here. Of a thread the parent,
// its oldest, stays whatever the limit.
void HistoryReader::Finish() {
  std::ranges::stable_sort(messages_, {}, &router::HistoryMessage::created_at);
  const auto limit = static_cast<std::size_t>(wish_.limit);
  if (messages_.size() > limit) {
    const auto first = messages_.begin() + (wish_.thread ? 1 : 0);
    messages_.erase(first, first + static_cast<std::ptrdiff_t>(messages_.size() - limit));
  }
  done_(std::move(messages_));
}

}  // namespace writ::connectors
