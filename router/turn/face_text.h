#pragma once

#include <string>

#include "router/base/time.h"
#include "router/turn/face.h"
#include "router/turn/turn.h"

namespace writ::router {

// What the turn's message says in words, for clients that draw no attachments: the reply; while
// calls are held who is asked what, with the arguments as shown and the time left; else a line a
// step. Never empty; at most `limits.text_characters`.
[[nodiscard]] std::string FaceTextOf(const Turn& turn, const FaceLimits& limits, TimePoint now,
                                     const Texts& texts);

}  // namespace writ::router
