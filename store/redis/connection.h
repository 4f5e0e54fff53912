#pragma once

#include <hiredis.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/redis/address.h"
#include "store/redis/options.h"
#include "store/redis/scripts.h"

namespace writ::store {

// What is counted over all connections of an engine.
struct RedisCounts {
  std::atomic<std::uint64_t> commands{0};
  std::atomic<std::uint64_t> round_trips{0};
};

// What the server answered.
struct RedisReply {
  enum class Kind { kNothing, kNumber, kText, kList } kind = Kind::kNothing;
  std::int64_t number = 0;
  std::string text;
  std::vector<RedisReply> list;

  [[nodiscard]] bool IsNothing() const { return kind == Kind::kNothing; }
};

// A command and its arguments, as bytes.
using RedisWords = std::vector<std::string>;

// One connection, used by one thread at a time. The process ignores SIGPIPE.
class RedisConnection {
 public:
  // Connects, says who it is, and hands the server the scripts. `counts` outlives it.
  // throws  RedisLost where the server can't be reached, RedisError where it refuses
  RedisConnection(const RedisAddress& address, const RedisOptions& options, RedisCounts& counts);

  // throws  RedisError where it was refused, RedisLost
  RedisReply Ask(const RedisWords& command) { return AskAll({command}).front(); }
  // Several at once, answered in order; none of them is undone where another is refused.
  std::vector<RedisReply> AskAll(const std::vector<RedisWords>& commands);
  RedisReply Run(RedisScript script, const RedisWords& arguments);

  // Whether the connection is gone, as far as is known without asking.
  [[nodiscard]] bool IsLost() const;

  // For a connection that is used for nothing else from here on.
  void Subscribe(const std::string& channel);
  // Waits for what is published, at most `within` and until there is something to be read at
  // `wake`. nullopt: nothing came.
  [[nodiscard]] std::optional<std::string> AwaitMessage(std::chrono::milliseconds within, int wake);

 private:
  struct Close {
    void operator()(redisContext* context) const { redisFree(context); }
  };

  void Send(const RedisWords& command);
  [[nodiscard]] RedisReply Receive();
  [[noreturn]] void Lose();

  RedisCounts& counts_;
  std::unique_ptr<redisContext, Close> context_;
  std::array<std::string, kRedisScripts.size()> digests_;
  bool lost_ = false;
};

}  // namespace writ::store
