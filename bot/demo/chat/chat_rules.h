#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bot/demo/chat/chat_error.h"
#include "router/base/json.h"

namespace writ::bot {

// What the service accepts of a message, apart from who sends it and where.
inline constexpr std::size_t kChatTextCharacters = 5000;
inline constexpr std::size_t kChatAttachments = 30;
inline constexpr std::size_t kChatAttachmentBytes = 5120;  // all of them, as JSON
inline constexpr std::size_t kChatCustomBytes = 5120;      // all custom fields, as JSON
inline constexpr std::size_t kChatMentions = 25;

// Whether a sender may choose this id and type. `message` is the request's.
[[nodiscard]] std::optional<ChatError> FaultOfRequest(const router::Json& message);

// Whether a message may look so: the limits above.
[[nodiscard]] std::optional<ChatError> FaultOfFields(const router::Json& fields);

// What of a request's message is its face: everything but the keys that say who and where.
[[nodiscard]] router::Json FieldsOf(const router::Json& message);

// The ids in `mentioned_users`; users' objects count as their ids.
[[nodiscard]] std::vector<std::string> MentionsOf(const router::Json& object);

// The fields after a partial update: `set` with dotted paths into objects, then `unset`.
[[nodiscard]] std::variant<router::Json, ChatError> ApplyPartial(const router::Json& fields,
                                                                 const router::Json& update);

}  // namespace writ::bot
