#pragma once

#include <string>

#include "store/redis/connection.h"

namespace writ::store {

// Looks whether the server keeps what it acknowledges, and is one that nodes can share. Before a
// connection is used for anything: settings change while a server runs.
//
// throws  Failure{kPermanent}, which names the setting: without `appendonly yes`, `appendfsync
//         always` and `no-appendfsync-on-rewrite no` what was acknowledged is lost with the power;
//         with another `maxmemory-policy` than noeviction it is lost for want of room; a cluster
//         has no transaction over all keys. Failure{kTransient} where it is a replica: it may not
//         stay one
void MustKeepWhatItCommits(RedisConnection& connection);

// The id of the store under the prefix, which is made where there is none.
// throws  Failure{kPermanent} where a newer program's rows are there that this one can't read
[[nodiscard]] std::string OpenRedisStore(RedisConnection& connection, const std::string& prefix);

// throws  Failure{kPermanent} where it is another store by now: its server has lost its data
void MustBeStore(RedisConnection& connection, const std::string& prefix, const std::string& id);

}  // namespace writ::store
