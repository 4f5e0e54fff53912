#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "store/records.h"

namespace writ::store {

inline constexpr std::string_view kEditedByAnother =
    "A message that waited for an answer was changed by somebody else, so I will not answer it. "
    "Please write it again.";

// A plain message of the agent's that is no turn's.
struct NoticeContent {
  router::AgentId agent;
  router::Cid cid;
  std::optional<router::MessageId> thread;
  std::string text;
};

// Puts the notice into the outbox, once for each `id`.
void SaveNotice(Records& records, const router::AppId& app, std::string_view id,
                const NoticeContent& notice, router::TimePoint now);
[[nodiscard]] NoticeContent NoticeFromText(std::string_view text);

}  // namespace writ::store
