#pragma once

#include <optional>
#include <string>

#include "router/turn/session.h"
#include "store/records.h"

namespace writ::store {

void SaveSession(Records& records, const router::Session& session);
[[nodiscard]] router::Session SessionOf(const SessionRow& row);
// nullopt: it can't be read.
[[nodiscard]] std::optional<router::Session> ReadableSession(const SessionRow& row);
// Whether it ends by itself now: it was idle for its life, and nothing of it is under way.
[[nodiscard]] bool IsIdle(Records& records, const router::Session& session,
                          router::Duration session_idle, router::TimePoint now);
// Of an incognito one nothing is left.
void EndSession(Records& records, router::Session session, router::TimePoint now);

}  // namespace writ::store
