#include "router/approval/ask.h"

namespace writ::router {

Asked AskedFor(Approver approver, const UserId& writer, const UserId& initiator, bool shared) {
  if (approver != Approver::kWriter) return {Asked::Kind::kBackend, {}};
  if (!writer.empty()) return {Asked::Kind::kUser, writer};
  if (!initiator.empty() && !shared) return {Asked::Kind::kUser, initiator};
  return {Asked::Kind::kNobody, {}};
}

Asked AskedOf(const Turn& turn, const Call& call, Approver approver) {
  const bool on_device = call.tools_of == ToolsOf::kDevice;
  return AskedFor(approver, on_device ? UserId() : turn.writer, turn.initiator,
                  turn.shared || turn.incognito);
}

}  // namespace writ::router
