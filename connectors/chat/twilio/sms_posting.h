#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "connectors/chat/twilio/sms_client.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

struct SmsWords {
  // How the ask is answered: the sentence with its code, or a link. `expires_at` is the ask's.
  std::function<std::string(const router::PostedAsk& ask, router::TimePoint expires_at)> answer_by;
};

// One text of a post's, which is told once. Each has a name within the post.
struct SmsPart {
  std::string name;
  std::string text;
};
// What a face of a turn, or a notice, comes to as text messages: nothing while it works, each ask
// by itself, and what came of it. What stands there can't be changed, so only what is new is sent.
[[nodiscard]] std::vector<SmsPart> SmsPartsOf(const router::Post& post, const SmsWords& words);

// Sends what of a post was not sent yet; its memo says how many messages of each part were:
// `<part>=<count> …`. Where nobody knows whether it was tried, Twilio is asked what it took. Each
// is an object that its requests hold.
class SmsPosting final : public std::enable_shared_from_this<SmsPosting> {
 public:
  SmsPosting(std::shared_ptr<SmsClient> client, const router::Post& post, const SmsWords& words,
             std::stop_token stop, router::PostDone done);

  void Start();

 private:
  struct Message {
    std::string part;
    std::string text;
  };
  void LookFor(router::TimePoint since);
  // They are sent one after the other, so what stands before one that is there was sent, too.
  void SkipSent(std::vector<std::string> there);
  void Sent();
  void Next();
  [[nodiscard]] std::string Memo() const;

  const std::shared_ptr<SmsClient> client_;
  const std::string number_;
  std::map<std::string, std::size_t> sent_;
  std::vector<std::string> told_;  // of the same parts, before
  std::vector<Message> messages_;  // that are left
  std::size_t at_ = 0;
  const std::optional<router::TimePoint> maybe_there_since_;
  const std::stop_token stop_;
  const router::PostDone done_;
};

}  // namespace writ::connectors
