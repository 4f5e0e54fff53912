#include "connectors/chat/slack/slack_names.h"

#include <chrono>
#include <utility>

#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::size_t kMostKnown = 10000;
constexpr std::chrono::hours kKnownFor{1};

std::string NameIn(const Json& user) {
  if (const Json* profile = user.Find("profile")) {
    for (const char* key : {"display_name", "real_name"}) {
      if (std::string name = profile->TextAt(key); !name.empty()) return name;
    }
  }
  std::string name = user.TextAt("real_name");
  return name.empty() ? user.TextAt("name") : name;
}

}  // namespace

std::string SlackNames::NameOf(const std::string& user) {
  const router::SteadyPoint now = client_->clock().Steady();
  std::string name;
  {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMostKnown) known_.clear();
    Known& known = known_[user];
    name = known.name;
    if (now < known.until) return name;
    known.until = now + kKnownFor;  // it is being asked for
  }
  Ask(user);
  return name;
}

// Questions about a membership count to the same limit and matter more: this one goes at once or
// not at all.
void SlackNames::Ask(const std::string& user) {
  SlackClient::Call call{"users.info", {{"user", user}}};
  call.longest_wait = std::chrono::milliseconds{0};
  client_->Run(std::move(call), {}, [self = shared_from_this(), user](const SlackReply& reply) {
    const std::lock_guard lock(self->mutex_);
    const Json* found = reply.body.Find("user");
    if (reply.failure || found == nullptr) {
      self->known_.erase(user);
    } else {
      self->known_[user].name = NameIn(*found);
    }
  });
}

}  // namespace writ::connectors
