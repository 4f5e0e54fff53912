#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::connectors {

// How Slack's names become ours. None of Slack's own ids holds a dot but a `ts`, which is always
// the last part.

// Where the app is installed, as each request says.
struct SlackPlace {
  std::string team;
  std::string enterprise;  // of a workspace within an Enterprise Grid; else empty
};

// `<team or enterprise>.<U…>`. A person of the place's own workspace, or one whose workspace is not
// told, is the enterprise's where there is one: on a Grid the same person comes from several
// workspaces. An id from elsewhere never equals one of ours. Empty where `user` is.
[[nodiscard]] router::UserId SlackUserId(const SlackPlace& place, std::string_view home,
                                         std::string_view user);
struct SlackUser {
  std::string home;  // a team or an enterprise
  std::string id;    // Slack's own
};
[[nodiscard]] SlackUser SlackUserOf(const router::UserId& user);

struct SlackChannel {
  std::string team;
  std::string id;
  std::string
      thread;  // the `ts` of the message that the thread hangs from; empty: the channel's own
};
// `slack:<team>.<channel>.<thread ts>`, or `slack:<team>.<D…>` for direct messages, whose one
// conversation is the channel.
[[nodiscard]] router::Cid SlackCid(const SlackChannel& channel);
// Empty parts where the cid is none of Slack's.
[[nodiscard]] SlackChannel SlackChannelOf(const router::Cid& cid);
[[nodiscard]] bool IsDirect(std::string_view channel);

// By what the configuration names a channel: its id.
[[nodiscard]] std::string_view SlackChannelKey(const router::Cid& cid);

// `<team>.<channel>.<ts>`: a `ts` alone is unique within its channel only.
[[nodiscard]] router::MessageId SlackMessageId(const SlackChannel& channel, std::string_view ts);

// Whether it is seconds and microseconds: `1795944600.000100`.
[[nodiscard]] std::optional<router::TimePoint> SlackTime(std::string_view ts);
[[nodiscard]] std::string SlackTs(router::TimePoint time);

}  // namespace writ::connectors
