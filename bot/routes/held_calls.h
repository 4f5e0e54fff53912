#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bot/routes/api.h"
#include "router/approval/may_answer.h"
#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/flow/answer.h"
#include "router/turn/approval_record.h"

namespace writ::bot {

// The held calls of one app, for people who answer them with the chat platform's own means. Who
// they are was verified by the platform's adapter; whether they may is the one answer()'s to say.
// Cheap to make; used on one thread.
class HeldCalls {
 public:
  HeldCalls(const Api& api, router::AppId app) : api_(api), app_(std::move(app)) {}

  [[nodiscard]] const router::AppId& app() const { return app_; }
  [[nodiscard]] std::optional<router::ApprovalRecord> Find(const router::ApprovalId& id) const;
  // The pending ones that were put to `user` in the conversation, newest first.
  [[nodiscard]] std::vector<router::ApprovalRecord> AskedOf(const router::UserId& user,
                                                            const router::Cid& cid) const;
  // The same with those that are over: the newest hundred.
  [[nodiscard]] std::vector<router::ApprovalRecord> PutTo(const router::UserId& user,
                                                          const router::Cid& cid) const;

  struct Given {
    bool allowed = false;
    std::string reason = {};
    std::optional<router::Json> edited = std::nullopt;  // content, of a tool's question
  };
  // throws  Failure{kTransient} where the store can't be reached: nothing was decided
  [[nodiscard]] router::Answered Answer(const router::UserCaller& who,
                                        const router::ApprovalRecord& record, Given given) const;
  // What Answer() would refuse now, kYes where it would not; nothing is decided.
  [[nodiscard]] router::MayAnswer Judge(const router::UserCaller& who,
                                        const router::ApprovalRecord& record) const;

  // What `who` is told privately of a refusal, in the words and the language of the record's agent
  // and turn: the true state where it is over, nothing to whoever is no member.
  [[nodiscard]] std::string WhyNot(router::MayAnswer refusal, const router::UserCaller& who,
                                   const router::ApprovalRecord& record) const;
  // Any other sentence in these words.
  [[nodiscard]] std::string Say(router::TextKey key, const router::ApprovalRecord& record) const;

 private:
  [[nodiscard]] std::vector<router::ApprovalRecord> List(
      const router::UserId& user, const router::Cid& cid,
      std::optional<router::ApprovalStatus> status) const;

  const Api& api_;
  router::AppId app_;
};

}  // namespace writ::bot
