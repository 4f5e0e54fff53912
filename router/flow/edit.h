#pragma once

#include <string>
#include <vector>

#include "router/base/json.h"
#include "router/flow/setup.h"
#include "router/tool/gate.h"
#include "router/tool/shelf.h"
#include "router/turn/turn.h"

namespace writ::router {

// Arguments that somebody wants to run instead of those that were asked about: checked against the
// tool and the rules of now, and made ready to be recorded.
struct CheckedEdit {
  std::vector<EditFault> faults;  // none: it is good
  std::string canonical;
  std::string digest;
  std::string shown;  // as the channel may show it
  bool shown_cut = false;
  std::string mark;
};

// Equal to what was asked: nothing was edited.
[[nodiscard]] bool IsAsAsked(const ApprovalRecord& record, const Json& arguments);

// A tool that is gone has no fault: the decision is recorded, and the gate of now sends nothing.
[[nodiscard]] CheckedEdit CheckEditOf(const BoundConnector& bound, const Shelf& shelf,
                                      const Call& call, const ApprovalRecord& record,
                                      const Json& arguments);

// The content of an answer to a tool's question, which is recorded like an edit.
[[nodiscard]] CheckedEdit CheckAnswerOf(const ApprovalRecord& question, const Json& content);

}  // namespace writ::router
