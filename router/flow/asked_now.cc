#include "router/flow/asked_now.h"

namespace writ::router {

Asked AskedNow(const Ports& ports, const Turn& turn, const Call& call, Approver approver) {
  Asked asked = AskedOf(turn, call, approver);
  if (asked.kind != Asked::Kind::kUser || asked.user == turn.writer) return asked;
  const auto session = ports.sessions.FindSession(turn.app, turn.session);
  if (session && !session->shared && !session->channel_shared) return asked;
  return {Asked::Kind::kNobody, {}};
}

}  // namespace writ::router
