#pragma once

#include <optional>
#include <vector>

#include "router/turn/ledger.h"
#include "store/ledger/telling.h"
#include "store/records.h"

namespace writ::store {

// The sessions' ledger over any engine.
class SessionsOver final : public router::SessionLedger {
 public:
  SessionsOver(Engine& engine, const TellingOf& telling) : engine_(engine), telling_(telling) {}

  Opened OpenSession(const router::Session& session, const router::AppQuotas& quotas) override;
  std::optional<router::Session> FindSession(const router::AppId& app,
                                             const router::SessionId& id) override;
  std::optional<router::Session> OpenSessionOn(const router::AppId& app,
                                               const router::AgentId& agent,
                                               const router::Cid& cid) override;
  std::vector<router::Session> ListSessions(const router::AppId& app, const Page& page) override;
  std::vector<router::SessionNews> News(const std::vector<Watched>& watched) override;
  std::vector<router::Advanced> CloseSession(const router::AppId& app, const router::SessionId& id,
                                             const router::NodeId& node,
                                             router::TimePoint now) override;
  void RememberHistory(const router::SessionId& id,
                       const std::vector<router::HistoryMessage>& history) override;
  std::vector<router::Session> ActiveSince(const router::AppId& app, router::TimePoint since,
                                           std::size_t limit) override;

 private:
  Engine& engine_;
  const TellingOf& telling_;
};

}  // namespace writ::store
