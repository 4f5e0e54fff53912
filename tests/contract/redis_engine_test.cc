#include "store/redis/redis_engine.h"

#include <memory>

#include "tests/contract/engine_contract.h"
#include "tests/support/redis_server.h"

namespace writ::store {

namespace {

class Redis final : public EngineUnderTest {
 public:
  Engine& engine() override { return engine_; }

 private:
  RedisEngine engine_{{.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix()}};
};

std::unique_ptr<EngineUnderTest> MakeRedis() { return std::make_unique<Redis>(); }

}  // namespace

INSTANTIATE_TEST_SUITE_P(Redis, EngineContract, testing::Values(MakeRedis));

}  // namespace writ::store
