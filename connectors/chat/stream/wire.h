#pragma once

#include <optional>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::connectors {

// How Stream's two families of shapes write the same thing (README.md of this folder): v1 has text
// times and flat custom fields, v2 has integer nanoseconds and a nested `custom`. A webhook may
// come in either.

// RFC 3339 text, or whole nanoseconds since 1970: an int64 holds those, a double would not.
// nullopt where there is nothing, null, or anything else.
[[nodiscard]] std::optional<router::TimePoint> ReadStreamTime(const router::Json* value);

// A custom field that is there and is not null: beside the built-in ones first, then in `custom`.
[[nodiscard]] const router::Json* FindCustom(const router::Json& object, std::string_view key);

// Whether a value is there and not null, not false, not empty.
[[nodiscard]] bool IsSet(const router::Json* value);

// `cid` if it can be one (a type, a colon, an id); else made of `channel_type` and `channel_id`;
// else empty.
[[nodiscard]] router::Cid ReadCid(const router::Json& object);

// The id of the user object under `key`; empty where there is none.
[[nodiscard]] router::UserId ReadUserId(const router::Json& object, std::string_view key);

// Whether the channel that an event or an answer tells of is open to its members' support:
// `support_access: "members"` among its custom fields.
[[nodiscard]] bool IsSharedChannel(const router::Json& object);

}  // namespace writ::connectors
