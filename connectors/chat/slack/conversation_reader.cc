#include "connectors/chat/slack/conversation_reader.h"

#include <utility>

#include "connectors/chat/slack/slack_reply.h"

namespace writ::connectors {

using router::Json;

void ConversationReader::Start(std::shared_ptr<SlackClient> client, Wish wish, std::stop_token stop,
                               Done done) {
  std::shared_ptr<ConversationReader>(
      new ConversationReader(std::move(client), std::move(wish), std::move(stop), std::move(done)))
      ->ReadPage("");
}

void ConversationReader::ReadPage(const std::string& cursor) {
  ++read_;
  FormFields fields{{"channel", wish_.channel},
                    {"limit", std::to_string(wish_.limit)},
                    {"include_all_metadata", "true"}};
  if (!wish_.thread.empty()) fields.emplace_back("ts", wish_.thread);
  if (!wish_.oldest.empty()) fields.emplace_back("oldest", wish_.oldest);
  if (!cursor.empty()) fields.emplace_back("cursor", cursor);
  SlackClient::Call call{wish_.thread.empty() ? "conversations.history" : "conversations.replies",
                         std::move(fields)};
  client_->Run(std::move(call), stop_, [self = shared_from_this()](SlackReply reply) {
    if (reply.failure) return self->done_(*std::move(reply.failure));
    if (Json* rows = reply.body.Find("messages"); rows != nullptr && rows->IsArray()) {
      for (Json& row : rows->array()) self->messages_.push_back(std::move(row));
    }
    const std::string next = NextCursor(reply.body);
    if (next.empty() || self->read_ >= self->wish_.pages) {
      return self->done_(std::move(self->messages_));
    }
    self->ReadPage(next);
  });
}

}  // namespace writ::connectors
