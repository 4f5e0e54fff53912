#include "store/redis/scripts.h"

extern "C" {
extern const char writ_redis_checks[];
extern const char writ_redis_checks_end[];
extern const char writ_redis_commit[];
extern const char writ_redis_commit_end[];
extern const char writ_redis_look[];
extern const char writ_redis_look_end[];
extern const char writ_redis_open[];
extern const char writ_redis_open_end[];
}

namespace writ::store {

// Those that write begin with `#!lua`: without it a server that has no memory left would stop one
// at its first write instead of refusing the whole.
std::string TextOf(RedisScript script) {
  const std::string checks(writ_redis_checks, writ_redis_checks_end);
  switch (script) {
    case RedisScript::kOpen:
      return "#!lua\n" + std::string(writ_redis_open, writ_redis_open_end);
    case RedisScript::kLook:
      return checks + std::string(writ_redis_look, writ_redis_look_end);
    case RedisScript::kCheck:
      return checks + "return find_fault() or {'same'}\n";
    case RedisScript::kCommit:
      return "#!lua\n" + checks + std::string(writ_redis_commit, writ_redis_commit_end);
  }
  return {};
}

bool Writes(RedisScript script) {
  return script == RedisScript::kOpen || script == RedisScript::kCommit;
}

}  // namespace writ::store
