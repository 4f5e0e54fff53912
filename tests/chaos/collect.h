#pragma once

#include <set>
#include <string>

#include "tests/chaos/evidence.h"
#include "tests/support/stage/api_client.h"
#include "tests/support/stage/world.h"

namespace writ::chaos {

// The secret that seals the nodes' audit log.
inline constexpr const char* kAuditSecret = "a secret of the audit log, of more than 32 bytes";

// What stands in the channels at the end.
void CollectShown(const tests::World& world, const std::set<std::string>& cids, Evidence& evidence);

// What a node's API says at the end: the commands whose messages are in `evidence.shown`, all
// approvals, and the audit log, which is verified, too.
// throws  std::runtime_error where it does not answer
void CollectRecords(const tests::World& world, const tests::ApiClient& api,
                    const std::set<std::string>& cids, Evidence& evidence);

}  // namespace writ::chaos
