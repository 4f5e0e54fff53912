#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bot/routes/api.h"
#include "router/base/json.h"
#include "router/tool/shelf.h"
#include "router/turn/approval_record.h"
#include "router/turn/turn.h"

namespace writ::bot {

// An approval with the turn that it belongs to, as far as that is still there.
struct InboxCall {
  router::ApprovalRecord record;
  std::optional<router::Turn> turn;
};

// A list of tools: the binding by its address in the directory, and the session, whose opener may
// have declared some.
using ListId = std::pair<const router::BoundConnector*, router::SessionId>;

// The tools of these calls as their connectors list them now. Waits for lists that have to be
// fetched, a little; a tool whose list does not come is as one that is gone.
class ToolsNow {
 public:
  ToolsNow(const Api& api, const std::vector<InboxCall>& calls);

  // nullptr where the connector does not list it, or can't be asked.
  [[nodiscard]] const router::Tool* Find(const InboxCall& call) const;

 private:
  std::map<ListId, router::Shelves::Shelved> shelves_;
  const Api& api_;
};

// A call as the inbox shows it: `approval`, `answer_to` (the path of its answer), `said` (the
// command's words), `turn` (state and reply), `step`, `tool` (with its schema). Members that may be
// null are always there.
[[nodiscard]] router::Json InboxViewOf(const InboxCall& call, const ToolsNow& tools,
                                       std::string answer_to);

}  // namespace writ::bot
