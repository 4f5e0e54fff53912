#pragma once

#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/json.h"

namespace writ::router {

// What is personal in an entry stands beside it: words that somebody wrote, and ids that are a
// phone number. The entry has its digest alone, so that it can be removed and the chain still
// holds.

struct SplitEntry {
  Json entry;  // with `aside_digest` where something stands beside it
  Json aside;  // null where nothing does; else it has `person` and `salt` beside the members
};
// person  whose turn or consent the entry is about; nobody: nobody's
// salt    random, so that the digest gives no short text away to a guess once the aside is gone
[[nodiscard]] SplitEntry SplitOff(Json entry, const UserId& person, std::string_view salt);

// Whether it is what the entry was written with.
[[nodiscard]] bool FitsEntry(const Json& aside, const Json& entry);

// Whether it is about that person: theirs, or with their id in it.
[[nodiscard]] bool IsAbout(const Json& aside, const UserId& user);

// Whether the text names somebody by their phone number, as an SMS user's id and cid do.
[[nodiscard]] bool HasPhoneNumber(std::string_view text);

}  // namespace writ::router
