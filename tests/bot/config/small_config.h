#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bot/config/config.h"

namespace writ::bot {

// What somebody would write who connects one agent to one MCP server.
inline constexpr std::string_view kSmallConfig = R"({"apps": [{
  "id": "acme",
  "platform": {"kind": "stream", "api_key": "k1", "api_secret": "s1"},
  "agents": [{
    "id": "helper", "user_id": "helper-bot", "chat_channels": ["callouts"],
    "model": {"kind": "openai", "name": "m", "base_url": "http://127.0.0.1:9000/v1"},
    "connectors": [{"id": "crm", "kind": "mcp", "url": "http://127.0.0.1:9001/mcp"}]}]}]})";

// kSmallConfig with the JSON `value` at a pointer (without escapes); what leads there is made.
[[nodiscard]] std::string SmallConfigWith(const std::string& pointer, std::string_view value);

[[nodiscard]] SecretSource NamedSecrets(std::map<std::string, std::string> environment = {},
                                        std::map<std::string, std::string> files = {});

[[nodiscard]] std::vector<std::string> PointersOf(const ConfigRead& read);

}  // namespace writ::bot
