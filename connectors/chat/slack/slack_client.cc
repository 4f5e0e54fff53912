#include "connectors/chat/slack/slack_client.h"

#include <algorithm>
#include <utility>

#include "connectors/chat/slack/mrkdwn.h"

namespace writ::connectors {

using router::ChatFailure;
using router::Json;
using std::chrono::milliseconds;

namespace {

// After a 429 that names no time.
constexpr milliseconds kPause{5000};

}  // namespace

void SlackClient::Run(Call call, std::stop_token stop, Done done) {
  const milliseconds wait =
      pace_.Take(call.method, call.channel, clock_.Steady(), call.longest_wait);
  if (wait > call.longest_wait) {
    http_.After(milliseconds{0}, {}, [wait, method = call.method, done = std::move(done)] {
      done({Json::MakeObject(),
            ChatFailure{ChatFailure::Kind::kTransient, method + " waits for its turn", wait},
            "ratelimited"});
    });
    return;
  }
  if (wait <= milliseconds{0}) return Send(call, std::move(stop), std::move(done));
  http_.After(wait, stop,
              [self = shared_from_this(), call = std::move(call), stop, done = std::move(done)] {
                self->Send(call, stop, done);
              });
}

void SlackClient::Send(const Call& call, std::stop_token stop, Done done) {
  router::HttpRequest request = api_.Call(call.method, call.fields);
  request.once = call.once;
  request.timeout = call.timeout;
  request.connect_timeout = std::min(request.connect_timeout, call.timeout);
  http_.Send(std::move(request), std::move(stop),
             [self = shared_from_this(), method = call.method, channel = call.channel,
              done = std::move(done)](const router::HttpOutcome& outcome) {
               SlackReply reply = ReadSlackReply(outcome, self->clock_.Now());
               const auto* response = std::get_if<router::HttpResponse>(&outcome);
               if (response != nullptr && response->status == 429 && reply.failure) {
                 const milliseconds pause = reply.failure->retry_after.value_or(kPause);
                 reply.failure->retry_after = pause;
                 self->pace_.Pause(method, channel, self->clock_.Steady() + pause);
               }
               done(std::move(reply));
             });
}

void SlackClient::WhoAmI(std::stop_token stop,
                         std::function<void(std::variant<SlackSelf, ChatFailure>)> done) {
  std::optional<SlackSelf> known;
  {
    const std::lock_guard lock(mutex_);
    known = self_;
  }
  if (known) {
    http_.After(milliseconds{0}, {}, [known = *known, done = std::move(done)] { done(known); });
    return;
  }
  Run({"auth.test", {}}, std::move(stop),
      [client = shared_from_this(), done = std::move(done)](SlackReply reply) {
        if (reply.failure) return done(*std::move(reply.failure));
        SlackSelf read{reply.body.TextAt("user_id"), reply.body.TextAt("team_id"),
                       reply.body.TextAt("enterprise_id")};
        {
          const std::lock_guard lock(client->mutex_);
          client->self_ = read;
        }
        done(std::move(read));
      });
}

void SlackClient::Tell(const Whisper& whisper) {
  const std::string text = EscapeSlack(whisper.text);
  if (api_.IsSlacks(whisper.response_url)) {
    http_.Send(
        SlackApi::Respond(whisper.response_url, Json::MakeObject({{"response_type", "ephemeral"},
                                                                  {"replace_original", false},
                                                                  {"text", text}})),
        {}, [](const router::HttpOutcome&) {});
    return;
  }
  FormFields fields{{"channel", whisper.channel}, {"user", whisper.user}, {"text", text}};
  if (!whisper.thread.empty()) fields.emplace_back("thread_ts", whisper.thread);
  Run({"chat.postEphemeral", std::move(fields)}, {}, [](const SlackReply&) {});
}

}  // namespace writ::connectors
