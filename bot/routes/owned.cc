#include "bot/routes/owned.h"

#include <chrono>
#include <utility>

namespace writ::bot {
namespace {

constexpr std::chrono::hours kReadableAfterClose{24};

}  // namespace

bool IsTheBackendsAlone(const Api& api, const router::Session& session) {
  const router::AgentSetup* agent = api.directory.FindAgent(session.app, session.agent);
  return agent != nullptr && !session.cid.empty() &&
         api.directory.RuleOf(session.app, *agent, session.cid) == router::ChannelRule::kNamed;
}

std::variant<router::Session, Problem> FindOwned(const Api& api, const ApiCall& call,
                                                 const Request& request) {
  auto session = api.ports.sessions.FindSession(call.app(), router::SessionId(request.Param("id")));
  if (!session) return SessionNotFound();
  if (session->closed_at && *session->closed_at + kReadableAfterClose < api.ports.clock.Now()) {
    return SessionNotFound();
  }
  if (call.IsBackend()) return *std::move(session);
  if (session->owner.empty() || session->owner != call.User()) return SessionNotFound();
  if (IsTheBackendsAlone(api, *session)) return SessionNotFound();
  if (auto problem = call.DemandMember(api, session->cid, true, SessionNotFound())) {
    return *std::move(problem);
  }
  return *std::move(session);
}

}  // namespace writ::bot
