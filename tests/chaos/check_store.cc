#include <map>
#include <string>
#include <utility>

#include "tests/chaos/checker.h"

namespace writ::chaos {
namespace {

std::string PieceOf(const ClaimSeen& claim) {
  return claim.call.empty() ? claim.turn : claim.turn + "/" + claim.call;
}

void CheckFences(const Evidence& evidence, std::vector<Finding>& findings) {
  std::map<std::int64_t, const ClaimSeen*> holders;
  std::map<std::string, std::pair<Moment, std::int64_t>> newest;  // by piece
  for (const ClaimSeen& claim : evidence.claims) {
    const auto [entry, is_new] = holders.emplace(claim.fence, &claim);
    const ClaimSeen& before = *entry->second;
    if (!is_new && (before.node != claim.node || PieceOf(before) != PieceOf(claim))) {
      findings.push_back({kOneHolder, std::to_string(claim.fence),
                          before.node + " has " + PieceOf(before) + " with it, and " + claim.node +
                              " " + PieceOf(claim)});
    }
    const auto [last, first] = newest.emplace(PieceOf(claim), std::pair(claim.at, claim.fence));
    if (!first && last->second.first < claim.at && last->second.second > claim.fence) {
      findings.push_back({kOneHolder, PieceOf(claim), "its fence went back"});
    }
    last->second = {claim.at, claim.fence};
  }
}

void CheckLeases(const Evidence& evidence, std::vector<Finding>& findings) {
  for (const LeaseSeen& seen : evidence.leases) {
    if (seen.holding.size() > 1) {
      findings.push_back({kOneLease, seen.cid, seen.holding[0] + " and " + seen.holding[1]});
    } else if (seen.holding.size() == 1 && seen.holding[0] != seen.holder) {
      findings.push_back(
          {kOneLease, seen.cid,
           seen.holding[0] + " says that it holds the lease, which '" + seen.holder + "' has"});
    }
  }
}

}  // namespace

void CheckStore(const Evidence& evidence, std::vector<Finding>& findings) {
  CheckFences(evidence, findings);
  CheckLeases(evidence, findings);
  for (const Leftover& left : evidence.leftovers) {
    findings.push_back({kNothingLeft, left.id, "there is still its " + left.what});
  }
  for (const std::string& fault : evidence.audit_faults) {
    findings.push_back({kNothingLeft, "the audit log", fault});
  }
  for (const std::string& fault : evidence.node_faults) {
    findings.push_back({kNothingLeft, "a node", fault});
  }
}

}  // namespace writ::chaos
