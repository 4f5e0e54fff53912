#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "router/base/json.h"

namespace writ::connectors {

// How one agent's model is reached: the keys of `model` in the configuration (contract section 2).
struct ModelOptions {
  std::string name;      // always configuration, never a constant
  std::string api_key;   // empty: none is sent (local servers); never logged
  std::string base_url;  // as the provider's own SDK has it; empty: the provider's service
  // Absent: not sent to OpenAI; Anthropic demands one and gets kDefaultMaxTokens.
  std::optional<int> max_output_tokens;
  std::chrono::milliseconds timeout{120000};      // of one request
  bool stream = true;                             // ask for the reply as it is written
  std::chrono::milliseconds idle_timeout{60000};  // of a stream in which nothing comes
  int retries = 2;                                // beside the first try
  router::Json extra_body;                        // an object merged into each request, or null
  std::string max_tokens_field = "max_completion_tokens";  // OpenAI's; many servers: `max_tokens`
  std::string anthropic_version = "2023-06-01";
};

inline constexpr int kDefaultMaxTokens = 8192;

}  // namespace writ::connectors
