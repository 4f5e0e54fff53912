#pragma once

#include "router/approval/consents.h"
#include "router/approval/ledger.h"
#include "router/base/http.h"
#include "router/base/ids.h"
#include "router/base/jobs.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/chat/inbox.h"
#include "router/turn/ledger.h"
#include "router/turn/outbox.h"

namespace writ::router {

// What the flows act through. Everything outlives them.
struct Ports {
  Inbox& inbox;
  TurnLedger& turns;
  SessionLedger& sessions;
  ApprovalLedger& approvals;
  ConsentLedger& consents;
  Outbox& outbox;
  HttpClient& http;  // for its timers
  Jobs& jobs;
  const Clock& clock;
  IdSource& ids;
  Log& log;
};

}  // namespace writ::router
