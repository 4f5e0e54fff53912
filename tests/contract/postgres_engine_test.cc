#include "store/postgres/postgres_engine.h"

#include <memory>

#include "tests/contract/engine_contract.h"
#include "tests/support/postgres_cluster.h"

namespace writ::store {

namespace {

class Postgres final : public EngineUnderTest {
 public:
  Engine& engine() override { return engine_; }

 private:
  PostgresEngine engine_{{.dsn = tests::SharedPostgres().Dsn(), .schema = tests::NewSchema()}};
};

std::unique_ptr<EngineUnderTest> MakePostgres() { return std::make_unique<Postgres>(); }

}  // namespace

INSTANTIATE_TEST_SUITE_P(Postgres, EngineContract, testing::Values(MakePostgres));

}  // namespace writ::store
