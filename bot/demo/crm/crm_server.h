#pragma once

#include <string>

#include "bot/demo/crm/crm_desk.h"
#include "bot/http/request.h"
#include "bot/http/route_table.h"
#include "bot/http/server.h"
#include "router/base/json.h"
#include "router/base/log.h"
#include "router/base/time.h"

namespace writ::bot {

// The demo's CRM as an MCP server of revision 2025-11-25 over Streamable HTTP, on a port of its own
// on loopback: JSON answers, no session, no stream of its own (all three are a server's choice).
class CrmServer {
 public:
  // Listens when it returns. Both must outlive it.
  // throws  Failure{kPermanent} where no port is free
  CrmServer(const router::Clock& clock, router::Log& log);
  ~CrmServer();
  CrmServer(const CrmServer&) = delete;
  CrmServer& operator=(const CrmServer&) = delete;

  [[nodiscard]] std::string url() const;  // a connector's `url`
  [[nodiscard]] CrmDesk& desk() { return desk_; }

 private:
  [[nodiscard]] Response Handle(const Request& request);
  [[nodiscard]] Response AnswerTo(const router::Json& message);
  [[nodiscard]] Response Call(const router::Json& message);

  CrmDesk desk_;
  RouteTable routes_;
  Server server_;  // the last: it stops before the rest goes
};

}  // namespace writ::bot
