#pragma once

#include <string>

#include "router/base/json.h"
#include "router/tool/shown_text.h"
#include "router/turn/texts.h"
#include "router/turn/turn.h"

namespace writ::router {

// What a channel is shown of the call: its arguments, or what its tool asks while that is held.
[[nodiscard]] ShownText ShownOf(const Call& call);

// In which words, and where the whole of what was cut stands.
struct FaceWords {
  const Texts& texts;
  std::string inbox_url;  // empty where there is none
};

// That something was cut, with the mark of the arguments: whoever sees the whole elsewhere can tell
// that it is the same.
[[nodiscard]] std::string NotAllIsShown(const Call& call, const Texts& texts);
// The same of a held call, and where the whole stands.
[[nodiscard]] std::string WhereTheWholeIs(const Call& call, const FaceWords& words);

// The words of an ask behind its arguments as they are shown. Where something of them was cut it
// begins by saying so and where the whole stands: nobody consents to what they could not see.
[[nodiscard]] std::string AskMessage(const Call& call, const ShownText& shown,
                                     const FaceWords& words);

// One step as its attachment, in the shape that Stream's own kits draw. Not cut.
[[nodiscard]] Json StepWith(const Turn& turn, const Call& call, const FaceWords& words);

}  // namespace writ::router
