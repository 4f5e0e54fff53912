#include "bot/open_store.h"

#include <memory>
#include <variant>

#include "store/memory/memory_engine.h"
#include "store/postgres/postgres_engine.h"
#include "store/redis/redis_engine.h"
#include "store/sqlite/sqlite_engine.h"

namespace writ::bot {

std::unique_ptr<store::Engine> OpenStore(const StoreConfig& config) {
  if (const auto* sqlite = std::get_if<SqliteStoreConfig>(&config)) {
    store::SqliteOptions options;
    options.path = sqlite->path;
    return std::make_unique<store::SqliteEngine>(options);
  }
  if (const auto* postgres = std::get_if<PostgresStoreConfig>(&config)) {
    store::PostgresOptions options;
    options.dsn = postgres->dsn.Reveal();
    options.schema = postgres->schema;
    options.connections = postgres->connections;
    return std::make_unique<store::PostgresEngine>(options);
  }
  if (const auto* redis = std::get_if<RedisStoreConfig>(&config)) {
    store::RedisOptions options;
    options.url = redis->url.Reveal();
    options.prefix = redis->prefix;
    options.connections = redis->connections;
    return std::make_unique<store::RedisEngine>(options);
  }
  return std::make_unique<store::MemoryEngine>(
      store::MemoryOptions{std::get<MemoryStoreConfig>(config).max_records});
}

}  // namespace writ::bot
