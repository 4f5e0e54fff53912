#include "tests/contract/ledger/engines.h"

#include "store/memory/memory_engine.h"
#include "store/postgres/postgres_engine.h"
#include "store/redis/redis_engine.h"
#include "store/sqlite/sqlite_engine.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/redis_server.h"
#include "tests/support/temporary_folder.h"

namespace writ::tests {
namespace {

class OnMemory final : public LedgerEngine {
 public:
  store::Engine& engine() override { return engine_; }

 private:
  store::MemoryEngine engine_;
};

class OnSqlite final : public LedgerEngine {
 public:
  store::Engine& engine() override { return engine_; }

 private:
  TemporaryFolder folder_;
  store::SqliteEngine engine_{{.path = folder_.File("writ.db")}};
};

class OnPostgres final : public LedgerEngine {
 public:
  store::Engine& engine() override { return engine_; }

 private:
  store::PostgresEngine engine_{{.dsn = SharedPostgres().Dsn(), .schema = NewSchema()}};
};

class OnRedis final : public LedgerEngine {
 public:
  store::Engine& engine() override { return engine_; }

 private:
  store::RedisEngine engine_{{.url = SharedRedis().Url(), .prefix = NewPrefix()}};
};

template <class Kind>
std::unique_ptr<LedgerEngine> Make() {
  return std::make_unique<Kind>();
}

}  // namespace

const std::vector<EngineCase>& Engines() {
  static const std::vector<EngineCase> kEngines{{"Memory", Make<OnMemory>},
                                                {"Sqlite", Make<OnSqlite>},
                                                {"Postgres", Make<OnPostgres>},
                                                {"Redis", Make<OnRedis>}};
  return kEngines;
}

}  // namespace writ::tests
