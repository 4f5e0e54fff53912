#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bot/config/config.h"
#include "bot/routes/api.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "connectors/tool/mcp/stdio/pipe_loop.h"
#include "router/base/http.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/chat/backend.h"
#include "router/chat/chat.h"
#include "router/chat/phone_ledger.h"
#include "router/flow/schedules.h"
#include "router/flow/setup.h"
#include "router/model/model.h"
#include "router/tool/check.h"
#include "router/tool/connector.h"

namespace writ::bot {

// The adapters that a configuration names, and the directory that points to them.
struct Adapters {
  // Of servers that are programs; there where a connector has one.
  std::unique_ptr<connectors::PipeLoop> pipes;
  std::vector<std::unique_ptr<router::Chat>> chats;
  std::vector<std::unique_ptr<router::Members>> members;
  std::vector<std::unique_ptr<router::Backend>> backends;
  std::vector<std::unique_ptr<router::Model>> models;
  std::vector<std::unique_ptr<router::Connector>> connectors;
  std::vector<std::unique_ptr<router::Check>> checks;
  std::vector<connectors::McpConnector*> mcp;  // of these: they have a session to end
  std::vector<router::AppSetup> apps;
  std::vector<router::Schedule> schedules;
  std::map<router::AppId, ReadHook> hooks;
  std::map<std::string, AppKey, std::less<>> keys;  // by API key

  // Ends the sessions with MCP servers, and waits for a second at most that they hear of it, and
  // for the end of those that are programs. Before the HTTP client stops.
  void CloseSessions() const;
};

// Each with lines of its own to each host, so that nothing of one kind stands behind another's.
struct HttpClients {
  router::HttpClient& http;
  router::HttpClient& models;       // thousands of requests may wait for their answers at once
  router::HttpClient& memberships;  // an answer waits for it, and a person for that
};

// phones  nullptr where the adapters neither send nor take messages of a chat
// throws  Failure{kPermanent} where a script of a model can't be read
[[nodiscard]] Adapters MakeAdapters(const Config& config, HttpClients clients,
                                    const router::Clock& clock, router::Log& log,
                                    router::PhoneLedger* phones = nullptr);

}  // namespace writ::bot
