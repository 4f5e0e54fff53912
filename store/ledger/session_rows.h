#pragma once

#include <optional>
#include <string>

#include "router/turn/session.h"
#include "store/records.h"

namespace writ::store {

void SaveSession(Records& records, const router::Session& session);
[[nodiscard]] router::Session SessionOf(const SessionRow& row);

}  // namespace writ::store
