#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "router/base/json.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// The texts of JSON-RPC messages. `params` is JSON text and stands in the message as it is: the
// digits of a call's arguments must not be touched.
[[nodiscard]] std::string WriteRequest(std::int64_t id, std::string_view method,
                                       std::string_view params);
[[nodiscard]] std::string WriteNotification(std::string_view method, std::string_view params);

// What a request of the server gets: it asks for nothing that we offered. A ping is answered, a
// question to a person is declined (nobody is asked, nobody consents), the rest is unknown.
//
// id  as the server gave it: its numbers are its own
[[nodiscard]] std::string AnswerTo(const router::Json& id, std::string_view method);

[[nodiscard]] std::string InitializeParams();
[[nodiscard]] std::string CallParams(const router::CallRequest& request);

}  // namespace writ::connectors
