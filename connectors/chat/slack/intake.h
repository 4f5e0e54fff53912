#pragma once

#include <optional>
#include <string>
#include <variant>

#include "connectors/chat/slack/signature.h"
#include "connectors/chat/slack/slack_ids.h"
#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/event.h"

namespace writ::connectors {

enum class SlackRefusal {
  kBadSignature,  // 401: missing, wrong, or older or newer than five minutes
  kMalformed,     // 400: neither JSON with a `type` nor a form with such a `payload`
};

// Acknowledged and not stored.
struct SlackIgnored {
  std::string because;
};

// The set-up's question; the answer is the challenge itself.
struct SlackChallenge {
  std::string challenge;
};

// The names of our buttons and of our form, as they come back.
inline constexpr const char* kSlackAllow = "writ_approve";
inline constexpr const char* kSlackDecline = "writ_deny";
inline constexpr const char* kSlackEdit = "writ_edit";
inline constexpr const char* kSlackEditBlock = "args";
inline constexpr const char* kSlackEditField = "json";

// Whoever pressed or submitted, as Slack's signature vouches for.
struct SlackPresser {
  SlackPlace place;
  std::string home;  // the workspace that they pressed from; empty: not told
  std::string user;  // Slack's id

  [[nodiscard]] router::UserId id() const { return SlackUserId(place, home, user); }
};

// A button's value: which call of which ask it is for.
[[nodiscard]] std::string SlackButtonValue(const router::CallId& call,
                                           const router::ApprovalId& approval);

struct SlackClick {
  enum class Button { kAllow, kDecline, kEdit };
  Button button = Button::kAllow;
  // From the button's value, which went through the client: they say which, not who may.
  router::ApprovalId approval;
  router::CallId call;
  SlackPresser presser;
  std::string channel;       // where the presser is told something privately
  std::string thread;        // empty: the channel itself
  std::string trigger_id;    // opens one form within three seconds
  std::string response_url;  // a secret: whoever has it may write there
};

struct SlackSubmission {
  router::ApprovalId approval;
  SlackPresser presser;
  std::string text;  // what stands in the form's one field
};

using SlackIntake = std::variant<SlackRefusal, SlackIgnored, SlackChallenge, router::ChannelEvent,
                                 SlackClick, SlackSubmission>;

// Verifies a delivery and tells what it says: events and the interactivity's forms alike, told
// apart by their body. Nothing is parsed before the signature was found to be right. source: the
// platforms' page, 2.1 to 2.3, 2.6, 2.7 (README.md of this folder)
[[nodiscard]] SlackIntake ReadSlackDelivery(const router::AppId& app,
                                            std::string_view signing_secret,
                                            const SlackDelivery& delivery, router::TimePoint now);

}  // namespace writ::connectors
