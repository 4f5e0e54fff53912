#pragma once

#include <string>
#include <string_view>

#include "router/base/json.h"
#include "router/tool/shown_text.h"
#include "router/turn/turn.h"

namespace writ::router {

// What a channel is shown of the call: its arguments, or what its tool asks while that is held.
[[nodiscard]] ShownText ShownOf(const Call& call);

// That something was cut, with the mark of the arguments: whoever sees the whole elsewhere can tell
// that it is the same.
[[nodiscard]] std::string NotAllIsShown(const Call& call);
// The same of a held call, and where the whole stands.
[[nodiscard]] std::string WhereTheWholeIs(const Call& call, std::string_view inbox_url);

// The words of an ask behind its arguments as they are shown. Where something of them was cut it
// begins by saying so and where the whole stands: nobody consents to what they could not see.
[[nodiscard]] std::string AskMessage(const Call& call, const ShownText& shown,
                                     std::string_view inbox_url);

// One step as its attachment, in the shape that Stream's own kits draw. Not cut.
[[nodiscard]] Json StepWith(const Turn& turn, const Call& call, std::string_view inbox_url);

}  // namespace writ::router
