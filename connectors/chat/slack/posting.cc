#include "connectors/chat/slack/posting.h"

#include <utility>
#include <variant>
#include <vector>

#include "connectors/chat/slack/conversation_reader.h"
#include "connectors/chat/slack/slack_ids.h"
#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::ChatFailure;
using router::Json;

constexpr const char* kEventType = "writ_message";
constexpr int kPagesLookedThrough = 10;
constexpr std::string_view kFromMemo = ":";

std::string ThreadOf(const router::Post& post) {
  return post.thread ? post.thread->text() : SlackChannelOf(post.cid).thread;
}

Json MetadataOf(const std::string& id) {
  return Json::MakeObject(
      {{"event_type", kEventType}, {"event_payload", Json::MakeObject({{"id", id}})}});
}

bool HasId(const Json& message, const std::string& id) {
  const Json* metadata = message.Find("metadata");
  if (metadata == nullptr || metadata->TextAt("event_type") != kEventType) return false;
  const Json* payload = metadata->Find("event_payload");
  return payload != nullptr && payload->TextAt("id") == id;
}

std::string TsOfMemo(const std::string& memo) {
  const std::size_t colon = memo.find(kFromMemo);
  return colon == std::string::npos ? "" : memo.substr(colon + 1);
}

}  // namespace

SlackPosting::SlackPosting(std::shared_ptr<SlackClient> client, const router::Post& post,
                           const SlackWords& words, std::stop_token stop, router::PostDone done)
    : client_(std::move(client)),
      channel_(SlackChannelOf(post.cid).id),
      thread_(ThreadOf(post)),
      id_(post.id.text()),
      memo_(post.memo),
      maybe_there_(post.maybe_there_since.has_value()),
      message_(SlackMessageOf(post, words)),
      stop_(std::move(stop)),
      done_(std::move(done)) {}

void SlackPosting::Send() { maybe_there_ ? LookFor() : PostNew(); }

void SlackPosting::Update() {
  const std::string ts = TsOfMemo(memo_);
  ts.empty() ? LookFor() : Change(ts);
}

void SlackPosting::LookFor() {
  ConversationReader::Wish wish;
  wish.channel = channel_;
  wish.thread = thread_;
  wish.pages = kPagesLookedThrough;
  ConversationReader::Start(client_, std::move(wish), stop_,
                            [self = shared_from_this()](auto read) {
                              if (auto* failure = std::get_if<ChatFailure>(&read)) {
                                return self->done_({std::move(*failure), ""});
                              }
                              for (const Json& message : std::get<std::vector<Json>>(read)) {
                                if (HasId(message, self->id_))
                                  return self->Change(message.TextAt("ts"));
                              }
                              self->PostNew();
                            });
}

FormFields SlackPosting::Fields() const {
  return {{"channel", channel_},
          {"text", message_.text},
          {"blocks", message_.blocks.Dump()},  // `[]` takes away those that stood there
          {"metadata", MetadataOf(id_).Dump()}};
}

void SlackPosting::PostNew() {
  FormFields fields = Fields();
  fields.emplace_back("unfurl_links", "false");
  fields.emplace_back("unfurl_media", "false");
  if (!thread_.empty()) fields.emplace_back("thread_ts", thread_);
  SlackClient::Call call{"chat.postMessage", std::move(fields), channel_};
  call.once = true;
  client_->Run(std::move(call), stop_, [self = shared_from_this()](SlackReply reply) {
    if (self->DropBlocks(reply)) return self->PostNew();
    const std::string ts = reply.body.TextAt("ts");
    self->Done(std::move(reply), ts.empty() ? "" : self->channel_ + ':' + ts);
  });
}

void SlackPosting::Change(const std::string& ts) {
  FormFields fields = Fields();
  fields.emplace_back("ts", ts);
  client_->Run({"chat.update", std::move(fields)}, stop_,
               [self = shared_from_this(), ts](SlackReply reply) {
                 if (self->DropBlocks(reply)) return self->Change(ts);
                 if (reply.error == "edit_window_closed" || reply.error == "cant_update_message") {
                   return self->PostNew();
                 }
                 self->Done(std::move(reply), self->channel_ + ':' + ts);
               });
}

void SlackPosting::Done(SlackReply reply, const std::string& memo) {
  const bool is_there = !reply.failure;
  done_({std::move(reply.failure), is_there ? memo : ""});
}

bool SlackPosting::DropBlocks(const SlackReply& reply) {
  const bool is_theirs = reply.error == "invalid_blocks" || reply.error == "msg_blocks_too_long" ||
                         reply.error == "invalid_blocks_format";
  if (!is_theirs || message_.blocks.array().empty()) return false;
  message_.blocks = Json::MakeArray();
  return true;
}

}  // namespace writ::connectors
