#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "connectors/chat/twilio/sms_client.h"
#include "connectors/chat/twilio/sms_posting.h"
#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// Text messages as the port Chat. Nothing that stands there can be changed or read back.
class SmsChat final : public router::Chat {
 public:
  // Whether the number wants no messages. throws  Failure{kTransient} where that can't be had
  using WantsNone = std::function<bool(const std::string& number)>;

  SmsChat(SmsWords words, std::shared_ptr<SmsClient> client, WantsNone wants_none)
      : words_(std::move(words)), client_(std::move(client)), wants_none_(std::move(wants_none)) {}

  void Send(const router::Post& post, std::stop_token stop, router::PostDone done) override;
  // A new face: what of it was not told yet.
  void Edit(const router::Post& post, std::stop_token stop, router::PostDone done) override;
  void Indicate(const router::Cid& cid, const router::UserId& agent_user,
                const router::MessageId& message, router::Indicator indicator) override;
  // Empty: the session itself remembers what was said.
  void History(const router::Cid& cid, const std::optional<router::MessageId>& thread,
               const router::UserId& agent_user, int limit, std::stop_token stop,
               HistoryDone done) override;
  void Missed(const router::Cid& cid, router::TimePoint since, std::stop_token stop,
              MissedDone done) override;
  void EnsureAgentUser(const router::UserId& agent_user, router::ChatDone done) override;

 private:
  [[nodiscard]] std::optional<router::ChatFailure> RefusalFor(const std::string& number) const;

  SmsWords words_;
  std::shared_ptr<SmsClient> client_;
  WantsNone wants_none_;
};

// A number is the only member of its own conversation, for ever; nobody has to be asked.
class SmsMembers final : public router::Members {
 public:
  explicit SmsMembers(router::HttpClient& http) : http_(http) {}
  void Ask(const router::Cid& cid, const router::UserId& user, std::chrono::milliseconds timeout,
           Done done) override;

 private:
  router::HttpClient& http_;
};

}  // namespace writ::connectors
