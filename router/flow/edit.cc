#include "router/flow/edit.h"

#include <utility>

#include "router/tool/show_arguments.h"
#include "router/turn/question.h"

namespace writ::router {

bool IsAsAsked(const ApprovalRecord& record, const Json& arguments) {
  return arguments.Canonical() == record.arguments;
}

CheckedEdit CheckEditOf(const BoundConnector& bound, const Shelf& shelf, const Call& call,
                        const ApprovalRecord& record, const Json& arguments) {
  CheckedEdit edit;
  edit.canonical = arguments.Canonical();
  edit.digest = DigestOf(edit.canonical, record.kind, record.tool);
  edit.mark = MarkOf(record.mark_key, edit.canonical);
  const ShelvedTool* tool = shelf.Find(call.tool);
  if (tool == nullptr) return edit;
  edit.faults = CheckEdit(bound.binding, *tool, arguments);
  ShownArguments shown = ShowArgumentsOf(bound.binding, *tool, arguments);
  edit.shown = std::move(shown.text);
  edit.shown_cut = shown.cut;
  return edit;
}

CheckedEdit CheckAnswerOf(const ApprovalRecord& question, const Json& content) {
  CheckedEdit answer;
  answer.canonical = content.Canonical();
  answer.digest = DigestOf(answer.canonical, question.kind, question.tool);
  answer.faults = CheckContent(question, content);
  return answer;
}

}  // namespace writ::router
