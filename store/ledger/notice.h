#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "store/records.h"

namespace writ::store {

// A plain message of the agent's that is no turn's.
struct NoticeContent {
  router::AgentId agent;
  router::Cid cid;
  std::optional<router::MessageId> thread;
  std::string text;      // in English
  std::string language;  // of whom it is for
};

// Puts the notice into the outbox, once for each `id`.
void SaveNotice(Records& records, const router::AppId& app, std::string_view id,
                const NoticeContent& notice, router::TimePoint now);
[[nodiscard]] NoticeContent NoticeFromText(std::string_view text);

}  // namespace writ::store
