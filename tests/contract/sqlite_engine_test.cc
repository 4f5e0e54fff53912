#include "store/sqlite/sqlite_engine.h"

#include <memory>

#include "tests/contract/engine_contract.h"
#include "tests/store/sqlite/temporary_folder.h"

namespace writ::store {

namespace {

class Sqlite final : public EngineUnderTest {
 public:
  Engine& engine() override { return engine_; }

 private:
  TemporaryFolder folder_;
  SqliteEngine engine_{{.path = folder_.File("writ.db")}};
};

std::unique_ptr<EngineUnderTest> MakeSqlite() { return std::make_unique<Sqlite>(); }

}  // namespace

INSTANTIATE_TEST_SUITE_P(Sqlite, EngineContract, testing::Values(MakeSqlite));

}  // namespace writ::store
