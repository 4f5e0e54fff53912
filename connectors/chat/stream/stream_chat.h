#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include "connectors/chat/stream/stream_api.h"
#include "router/base/http.h"
#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

struct StreamSettings {
  router::AppId app;
  StreamAccess access;
  std::vector<router::UserId> agent_users;  // of the whole app: none answers another
  // `max_message_length` of the app's channel types, in characters: the service's default is 5,000.
  std::size_t text_limit = 5000;
};

// The largest that all attachments of a message may be together.
inline constexpr std::size_t kStreamAttachmentBytes = 5120;
inline constexpr std::size_t kStreamAttachments = 30;

// Stream Chat's REST API as the port Chat. Nothing is retried here: the core's outbox does that,
// and a post that did arrive answers a repeat with kAlreadyThere, since its id is ours.
class StreamChat final : public router::Chat {
 public:
  // `http` and `clock` must outlive the requests that are out; the StreamChat itself needn't.
  StreamChat(StreamSettings settings, router::HttpClient& http, const router::Clock& clock);

  // A post that passes the service's limits is kRefused and never sent: fitting is the core's, and
  // a cut here would be of what somebody consented to.
  void Send(const router::Post& post, std::stop_token stop, router::PostDone done) override;
  void Edit(const router::Post& post, std::stop_token stop, router::PostDone done) override;
  // Once a second a message, as Stream's own guides do; together 400 a minute of the 1,000 updates
  // that an app has, the rest is for what must be shown.
  [[nodiscard]] std::optional<Pace> PaceOfGrowing() const override;
  // An ephemeral update: whoever looks on sees it, nothing is stored.
  void Grow(const router::Post& post, std::stop_token stop, router::ChatDone done) override;
  void Indicate(const router::Cid& cid, const router::UserId& agent_user,
                const router::MessageId& message, router::Indicator indicator) override;
  void History(const router::Cid& cid, const std::optional<router::MessageId>& thread,
               const router::UserId& agent_user, int limit, std::stop_token stop,
               HistoryDone done) override;
  void Missed(const router::Cid& cid, router::TimePoint since, std::stop_token stop,
              MissedDone done) override;
  void EnsureAgentUser(const router::UserId& agent_user, router::ChatDone done) override;

 private:
  [[nodiscard]] std::optional<router::ChatFailure> WhyUnfit(const router::Post& post) const;
  void Fail(router::ChatFailure failure, router::PostDone done);
  void Run(router::HttpRequest request, std::stop_token stop, router::PostDone done);

  StreamSettings settings_;
  StreamApi api_;
  router::HttpClient& http_;
  const router::Clock& clock_;
};

}  // namespace writ::connectors
