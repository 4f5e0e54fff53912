#include "tests/chaos/store_under_test.h"

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "store/postgres/postgres_engine.h"
#include "store/redis/redis_engine.h"
#include "store/redis/scripts.h"
#include "store/sqlite/sqlite_engine.h"
#include "tests/chaos/claims_in_redis.h"
#include "tests/support/cut_proxy.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/redis_server.h"

namespace writ::chaos {
namespace {

using router::Json;

// A file, and one node at a time that has it.
class SqliteUnderTest final : public StoreUnderTest {
 public:
  explicit SqliteUnderTest(const std::string& folder) : path_(folder + "/writ.db") {}

  [[nodiscard]] std::string name() const override { return "sqlite"; }
  [[nodiscard]] bool IsShared() const override { return false; }
  [[nodiscard]] Json ConfigOf(std::size_t /*node*/) const override {
    return Json::MakeObject({{"kind", "sqlite"}, {"path", path_}});
  }
  void Crash() override {}
  void Stop() override {}
  void Start() override {}
  void Cut(std::size_t /*node*/) override {}
  void Join(std::size_t /*node*/) override {}
  void LoseCommitOf(std::size_t /*node*/) override {}
  [[nodiscard]] std::unique_ptr<store::Engine> Open() const override {
    return std::make_unique<store::SqliteEngine>(store::SqliteOptions{.path = path_});
  }

 private:
  const std::string path_;
};

using Proxies = std::vector<std::unique_ptr<tests::CutProxy>>;

// One for each node.
Proxies ProxiesOf(const std::string& socket, std::size_t nodes) {
  Proxies proxies;
  proxies.reserve(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    proxies.push_back(std::make_unique<tests::CutProxy>(socket));
  }
  return proxies;
}

// Each row of work that names a node, in the order of the commits' statements.
constexpr const char* kKeepsClaims = R"(
  CREATE SCHEMA chaos;
  CREATE TABLE chaos.claims (
    place bigserial, fence bigint, node bytea, turn bytea, call bytea);
  CREATE FUNCTION chaos.keep() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF length(NEW.node) > 0 AND
       (TG_OP = 'INSERT' OR (OLD.node, OLD.fence) IS DISTINCT FROM (NEW.node, NEW.fence)) THEN
      INSERT INTO chaos.claims (fence, node, turn, call)
      VALUES (NEW.fence, NEW.node, NEW.turn, NEW.call);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER keep AFTER INSERT OR UPDATE ON writ.work
    FOR EACH ROW EXECUTE FUNCTION chaos.keep())";
constexpr const char* kReadsClaims =
    "SELECT place || ' ' || fence || ' ' || convert_from(node, 'UTF8') || ' ' ||"
    " convert_from(turn, 'UTF8') || ' ' || convert_from(call, 'UTF8')"
    " FROM chaos.claims ORDER BY place";

// A PostgreSQL of its own, and a proxy before it for each node.
class PostgresUnderTest final : public StoreUnderTest {
 public:
  explicit PostgresUnderTest(std::size_t nodes) : proxies_(ProxiesOf(cluster_.Socket(), nodes)) {}

  [[nodiscard]] std::string name() const override { return "postgres"; }
  [[nodiscard]] bool IsShared() const override { return true; }
  [[nodiscard]] Json ConfigOf(std::size_t node) const override {
    const std::string dsn = "host=127.0.0.1 port=" + std::to_string(proxies_[node]->port()) +
                            " user=postgres dbname=postgres sslmode=disable";
    return Json::MakeObject({{"kind", "postgres"}, {"dsn", dsn}, {"pool", 6}});
  }
  void Crash() override { cluster_.Kill(); }
  void Stop() override { cluster_.Stop(); }
  void Start() override { cluster_.Start(); }
  void Cut(std::size_t node) override { proxies_[node]->FallSilent(); }
  void Join(std::size_t node) override { proxies_[node]->SpeakAgain(); }
  void LoseCommitOf(std::size_t node) override { proxies_[node]->LoseAnswerTo("COMMIT"); }
  void KeepClaims() override { cluster_.Run(kKeepsClaims); }
  [[nodiscard]] std::vector<ClaimSeen> KeptClaims() const override {
    std::vector<ClaimSeen> claims;
    std::istringstream lines(cluster_.Run(kReadsClaims));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      ClaimSeen claim;
      std::int64_t place = 0;
      fields >> place >> claim.fence >> claim.node >> claim.turn >> claim.call;
      claim.at = Moment(place);
      claims.push_back(std::move(claim));
    }
    return claims;
  }
  [[nodiscard]] std::unique_ptr<store::Engine> Open() const override {
    return std::make_unique<store::PostgresEngine>(
        store::PostgresOptions{.dsn = cluster_.Dsn(), .connections = 2});
  }

 private:
  tests::PostgresCluster cluster_;
  Proxies proxies_;
};

// A Redis of its own, which never rewrites its append-only file, and a proxy before it for each
// node.
class RedisUnderTest final : public StoreUnderTest {
 public:
  explicit RedisUnderTest(std::size_t nodes) : proxies_(ProxiesOf(server_.Socket(), nodes)) {}

  [[nodiscard]] std::string name() const override { return "redis"; }
  [[nodiscard]] bool IsShared() const override { return true; }
  [[nodiscard]] Json ConfigOf(std::size_t node) const override {
    const std::string url = "redis://127.0.0.1:" + std::to_string(proxies_[node]->port());
    return Json::MakeObject({{"kind", "redis"}, {"url", url}, {"pool", 6}});
  }
  void Crash() override { server_.Kill(); }
  void Stop() override { server_.Stop(); }
  void Start() override { server_.Start(); }
  void Cut(std::size_t node) override { proxies_[node]->FallSilent(); }
  void Join(std::size_t node) override { proxies_[node]->SpeakAgain(); }
  void LoseCommitOf(std::size_t node) override { proxies_[node]->LoseAnswerTo(commit_); }
  [[nodiscard]] std::vector<ClaimSeen> KeptClaims() const override {
    return ClaimsInAppendOnlyFile(std::filesystem::path(server_.Socket()).parent_path() /
                                  "appendonlydir");
  }
  [[nodiscard]] std::unique_ptr<store::Engine> Open() const override {
    return std::make_unique<store::RedisEngine>(
        store::RedisOptions{.url = server_.Url(), .connections = 2});
  }

 private:
  tests::RedisServer server_{{"--auto-aof-rewrite-percentage", "0"}};
  // The digest by which it is called.
  const std::string commit_ =
      server_.Run({"SCRIPT", "LOAD", TextOf(store::RedisScript::kCommit)}).substr(0, 40);
  Proxies proxies_;
};

}  // namespace

std::unique_ptr<StoreUnderTest> MakeStoreUnderTest(std::string_view name, std::size_t nodes,
                                                   const std::string& folder) {
  if (name == "sqlite") return std::make_unique<SqliteUnderTest>(folder);
  if (name == "postgres") return std::make_unique<PostgresUnderTest>(nodes);
  if (name == "redis") return std::make_unique<RedisUnderTest>(nodes);
  throw std::invalid_argument("no store to be tested is called " + std::string(name));
}

}  // namespace writ::chaos
