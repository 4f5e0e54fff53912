#include "router/turn/session.h"

namespace writ::router {

People PeopleOf(ChannelRule rule, const UserId& author, const Session& session) {
  People people;
  if (author.empty()) return people;
  switch (rule) {
    case ChannelRule::kNamed:
      people.writer = author;
      break;
    case ChannelRule::kAgent:
    case ChannelRule::kNone:
      break;
  }
  if (!session.owner.empty() && session.owner == author) people.initiator = author;
  return people;
}

}  // namespace writ::router
