#include "tests/system/shared_stores.h"

#include <thread>

#include "tests/support/postgres_cluster.h"
#include "tests/support/redis_server.h"

namespace writ::tests {
namespace {

using router::Json;

class OnPostgres final : public SharedStore {
 public:
  [[nodiscard]] Json Config() const override { return ConfigOf(cluster_.Dsn()); }
  [[nodiscard]] Json ConfigThrough(const CutProxy& proxy) const override {
    return ConfigOf("host=127.0.0.1 port=" + std::to_string(proxy.port()) +
                    " dbname=postgres user=postgres sslmode=disable gssencmode=disable");
  }
  [[nodiscard]] std::string Socket() const override { return cluster_.Socket(); }
  void Start() override { cluster_.Start(); }
  void Stop() override { cluster_.Stop(); }
  void Kill() override { cluster_.Kill(); }
  void Empty() override { cluster_.Run("DROP SCHEMA writ CASCADE"); }
  void HoldUp(std::chrono::seconds duration) override {
    cluster_.Run(
        "SET search_path = writ;"
        " SELECT pg_advisory_lock(unit_of('lane', 'acme', 'callouts:team-1')), pg_sleep(" +
        std::to_string(duration.count()) + ")");
  }

 private:
  static Json ConfigOf(const std::string& dsn) {
    return Json::MakeObject({{"kind", "postgres"}, {"dsn", dsn}, {"pool", 6}});
  }

  PostgresCluster cluster_;
};

class OnRedis final : public SharedStore {
 public:
  [[nodiscard]] Json Config() const override { return ConfigOf(server_.Url()); }
  [[nodiscard]] Json ConfigThrough(const CutProxy& proxy) const override {
    return ConfigOf("redis://127.0.0.1:" + std::to_string(proxy.port()));
  }
  [[nodiscard]] std::string Socket() const override { return server_.Socket(); }
  void Start() override { server_.Start(); }
  void Stop() override { server_.Stop(); }
  void Kill() override { server_.Kill(); }
  void Empty() override { server_.Run({"FLUSHALL"}); }
  void HoldUp(std::chrono::seconds duration) override {
    server_.Run({"CLIENT", "PAUSE", std::to_string(duration.count() * 1000), "WRITE"});
    std::this_thread::sleep_for(duration);  // that is what it does
  }

 private:
  static Json ConfigOf(const std::string& url) {
    return Json::MakeObject({{"kind", "redis"}, {"url", url}, {"pool", 6}});
  }

  RedisServer server_;
};

}  // namespace

std::unique_ptr<SharedStore> MakePostgresStore() { return std::make_unique<OnPostgres>(); }
std::unique_ptr<SharedStore> MakeRedisStore() { return std::make_unique<OnRedis>(); }

}  // namespace writ::tests
