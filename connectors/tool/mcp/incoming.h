#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/json.h"

namespace writ::connectors {

// One JSON-RPC message of a server.
struct Incoming {
  enum class Kind {
    kResult,        // `payload` is the result
    kError,         // `payload` is the error object
    kRequest,       // the server asks; `payload` is the params
    kNotification,  // `payload` is the params
  };
  Kind kind = Kind::kNotification;
  router::Json id;  // null where there is none
  std::string method;
  router::Json payload;
};

// Reads one message, or a batch of them (2025-03-26). What is no message is skipped; nothing at
// all where the text is no JSON. Of a text that is JSON but for some characters, these are lost and
// no more: the call that it answers has run.
[[nodiscard]] std::vector<Incoming> ReadIncoming(std::string_view text);

// The request of ours that it answers by its id, as some servers write that: 5.0.
[[nodiscard]] std::optional<std::int64_t> AnsweredBy(const Incoming& message);

// Whether it answers our request `id`. An error without an id counts: some servers give none
// where they disliked the request as a whole.
[[nodiscard]] bool Answers(const Incoming& message, std::int64_t id);

// The request whose progress the message tells, where it is a notification of one: its token is
// the request's id.
[[nodiscard]] std::optional<std::int64_t> ProgressOf(const Incoming& message);

}  // namespace writ::connectors
