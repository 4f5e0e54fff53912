#pragma once

#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/chat.h"
#include "router/turn/texts.h"
#include "router/turn/turn.h"

namespace writ::router {

// The turn's one message in the channel: `writ-<command id>`.
[[nodiscard]] MessageId FaceMessageId(const CommandId& command);

struct FaceLimits {
  std::size_t attachment_bytes = 5000;  // all together, as JSON
  std::size_t text_characters = 5000;
  std::string inbox_url;  // `<public_url>/inbox`, empty where there is none: where the whole stands
};

// The message as contract section 4 has it: text, one attachment a step, `support_runtime`,
// mentioned users. Pure: `now` makes the time left. `texts` are the words of ours in it.
[[nodiscard]] Post FaceOf(const Turn& turn, const UserId& agent_user, const FaceLimits& limits,
                          TimePoint now, const Texts& texts = Texts());

// The same while the model still writes its reply: as it is so far.
[[nodiscard]] Post GrowingFaceOf(const Turn& turn, const UserId& agent_user,
                                 const FaceLimits& limits, TimePoint now, std::string_view reply,
                                 const Texts& texts = Texts());

// One step as its attachment: also what the API shows, in English. Not cut.
[[nodiscard]] Json StepOf(const Turn& turn, const Call& call);

}  // namespace writ::router
