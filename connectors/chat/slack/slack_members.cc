#include "connectors/chat/slack/slack_members.h"

#include <algorithm>
#include <string>
#include <utility>

#include "connectors/chat/slack/slack_ids.h"
#include "connectors/chat/slack/slack_reply.h"
#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::Json;
using Answer = router::Membership::Answer;
using std::chrono::milliseconds;

constexpr const char* kPage = "999";  // a person of a large channel is found in time

class Question final : public std::enable_shared_from_this<Question> {
 public:
  Question(std::shared_ptr<SlackClient> client, SlackChannel channel, SlackUser user,
           milliseconds timeout, router::Members::Done done)
      : client_(std::move(client)),
        channel_(std::move(channel)),
        user_(std::move(user)),
        until_(client_->clock().Steady() + timeout),
        done_(std::move(done)) {}

  void AskWhoTheyAre() {
    Run("users.info", {{"user", user_.id}}, [self = shared_from_this()](const SlackReply& reply) {
      if (reply.error == "user_not_found" || reply.error == "user_not_visible") {
        return self->Say(Answer::kNotMember);
      }
      const Json* user = reply.body.Find("user");
      if (reply.failure || user == nullptr) return self->Say(Answer::kUnknown);
      if (!IsActiveSlackUser(*user, self->user_.home)) return self->Say(Answer::kNotMember);
      self->ReadPage("");
    });
  }

 private:
  void ReadPage(const std::string& cursor) {
    FormFields fields{{"channel", channel_.id}, {"limit", kPage}};
    if (!cursor.empty()) fields.emplace_back("cursor", cursor);
    Run("conversations.members", std::move(fields),
        [self = shared_from_this()](const SlackReply& reply) { self->TakePage(reply); });
  }

  void TakePage(const SlackReply& reply) {
    // A channel that does not exist, for us at least, has no members.
    if (reply.error == "channel_not_found") return Say(Answer::kNotMember);
    const Json* members = reply.body.Find("members");
    if (reply.failure || members == nullptr || !members->IsArray()) return Say(Answer::kUnknown);
    const bool is_there = std::ranges::any_of(members->array(), [&](const Json& member) {
      return member.IsString() && member.string() == user_.id;
    });
    if (is_there) return Say(Answer::kMember);
    const std::string next = NextCursor(reply.body);
    next.empty() ? Say(Answer::kNotMember) : ReadPage(next);
  }

  void Run(std::string method, FormFields fields, SlackClient::Done done) {
    const auto left = std::chrono::duration_cast<milliseconds>(until_ - client_->clock().Steady());
    SlackClient::Call call{std::move(method), std::move(fields)};
    call.timeout = std::max(left, milliseconds{1});
    call.longest_wait = call.timeout / 2;
    client_->Run(std::move(call), {}, std::move(done));
  }

  void Say(Answer answer) { done_({answer, std::nullopt}); }

  const std::shared_ptr<SlackClient> client_;
  const SlackChannel channel_;
  const SlackUser user_;
  const router::SteadyPoint until_;
  const router::Members::Done done_;
};

}  // namespace

bool IsActiveSlackUser(const Json& user, const std::string& home) {
  if (home.empty() || user.BoolAt("deleted").value_or(false)) return false;
  const std::string team = user.TextAt("team_id");
  const std::string enterprise = user.TextAt("enterprise_id");
  if (team == home || enterprise == home) return true;
  const Json* on_grid = user.Find("enterprise_user");
  if (on_grid == nullptr) return team.empty() && enterprise.empty();  // nothing speaks against it
  if (on_grid->TextAt("enterprise_id") == home) return true;
  const Json* teams = on_grid->Find("teams");
  return teams != nullptr && teams->IsArray() &&
         std::ranges::any_of(teams->array(), [&](const Json& one) {
           return one.IsString() && one.string() == home;
         });
}

void SlackMembers::Ask(const router::Cid& cid, const router::UserId& user, milliseconds timeout,
                       Done done) {
  SlackChannel channel = SlackChannelOf(cid);
  SlackUser asked = SlackUserOf(user);
  if (channel.id.empty() || asked.id.empty()) {
    client_->http().After(milliseconds{0}, {}, [done = std::move(done)] {
      done({Answer::kNotMember, std::nullopt});
    });
    return;
  }
  std::make_shared<Question>(client_, std::move(channel), std::move(asked), timeout,
                             std::move(done))
      ->AskWhoTheyAre();
}

}  // namespace writ::connectors
