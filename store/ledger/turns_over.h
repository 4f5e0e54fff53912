#pragma once

#include <optional>
#include <string>
#include <vector>

#include "router/base/log.h"
#include "router/turn/ledger.h"
#include "store/ledger/telling.h"
#include "store/records.h"

namespace writ::store {

// The turns' ledger over any engine.
class TurnsOver final : public router::TurnLedger {
 public:
  // What happens to the turns is written down as `telling`, which outlives it, says.
  TurnsOver(Engine& engine, router::Log& log, const TellingOf& telling)
      : engine_(engine), log_(log), telling_(telling) {}

  router::EventOpened Open(const router::Opening& opening, const router::NodeId& node,
                           router::TimePoint now) override;
  router::CommandTaken Take(const router::ApiCommand& command, const router::NodeId& node,
                            router::TimePoint now) override;
  router::Claimed ClaimDue(const router::NodeId& node, std::size_t limit,
                           router::TimePoint now) override;
  std::optional<router::Advanced> Advance(const router::Claim& claim,
                                          const router::TurnEvent& event) override;
  std::vector<router::Claim> Lost(const std::vector<router::Claim>& claims) override;
  router::UsedCounters CountersNow(const router::AppId& app,
                                   const std::vector<router::Charge>& charges) override;
  std::optional<router::Advanced> Move(const router::CommandId& turn,
                                       const router::TurnEvent& event,
                                       const router::NodeId& node) override;
  std::vector<router::Advanced> Wake(const router::NodeId& node, std::size_t limit,
                                     router::TimePoint now) override;
  std::optional<router::TimePoint> NextWake() override;
  std::optional<router::Turn> Find(const router::AppId& app,
                                   const router::CommandId& turn) override;
  std::vector<router::Turn> Before(const router::Turn& turn, std::size_t limit) override;
  std::vector<router::Turn> Meanwhile(const router::Turn& turn, std::size_t limit) override;
  bool Beat(const router::NodeId& node, router::TimePoint alive_until, router::TimePoint now,
            const std::vector<router::Claim>& under_way) override;
  void Leave(const router::NodeId& node) override;

 private:
  // Keeps in the audit log what came too late to change anything.
  void KeepLateReport(Records& records, const router::Claim& claim, const router::TurnEvent& event);
  void TellOfBuried(const std::vector<std::string>& turns);

  Engine& engine_;
  router::Log& log_;
  const TellingOf& telling_;
};

}  // namespace writ::store
