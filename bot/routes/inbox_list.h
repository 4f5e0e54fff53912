#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bot/http/request.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/inbox_view.h"
#include "router/base/json.h"

namespace writ::bot {

// What a caller asks of the inbox's list.
struct InboxWanted {
  router::ApprovalPage page;  // its limit is how many are shown
  // The backend's alone: parts of the tool's name, and of whatever there is to search in; in any
  // case of ASCII letters.
  std::string tool;
  std::string text;
};

// A user's is what is pending and asked of them. The query's faults are the problem.
[[nodiscard]] std::variant<InboxWanted, Problem> ReadInboxWanted(const ApiCall& call,
                                                                 const Request& request);

struct InboxPage {
  std::vector<InboxCall> calls;  // newest first
  router::Json next_cursor;      // null at the end
};

// A search looks through a bounded number of records: a page of it may hold few calls, or none, and
// still have a next one.
[[nodiscard]] InboxPage FindInboxCalls(const Api& api, const router::AppId& app,
                                       const InboxWanted& wanted);

}  // namespace writ::bot
