#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "router/base/json.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// The texts of JSON-RPC messages. `params` is JSON text and stands in the message as it is: the
// digits of a call's arguments must not be touched.
[[nodiscard]] std::string WriteRequest(std::int64_t id, std::string_view method,
                                       std::string_view params);
// `params`, an object's text, with `_meta` as its last member where `meta` is not empty.
[[nodiscard]] std::string WithMeta(std::string_view params, const router::Json& meta);
[[nodiscard]] std::string WriteNotification(std::string_view method, std::string_view params);

// What a request of the server gets: it asks for nothing that we offered. A ping is answered, a
// question to a person is declined (nobody is asked, nobody consents), the rest is unknown.
//
// id  as the server gave it: its numbers are its own
[[nodiscard]] std::string AnswerTo(const router::Json& id, std::string_view method);

[[nodiscard]] std::string InitializeParams();
// Who asks: name and version.
[[nodiscard]] router::Json ClientInfo();
// Of `tools/call`, without `_meta`.
//
// input  what the tool asked for, where this goes on with a call
[[nodiscard]] std::string CallParams(const router::CallRequest& request,
                                     const std::optional<router::InputGiven>& input);
// `_meta` of a call.
[[nodiscard]] router::Json CallMeta(const router::CallRequest& request);

}  // namespace writ::connectors
