#include "store/redis/opening.h"

#include <array>
#include <charconv>
#include <string_view>

#include "router/base/digest.h"
#include "router/base/failure.h"
#include "store/redis/failures.h"

namespace writ::store {

using router::Failure;

namespace {

// Steps of the schema that this program knows, and the oldest program's that can still read what it
// writes.
constexpr int kSteps = 1;
constexpr int kOldestServer = 7;
constexpr std::size_t kIdBytes = 16;

struct Setting {
  std::string_view name;
  std::string_view wanted;
  std::string_view why;
};

constexpr std::array<Setting, 4> kSettings{{
    {"appendonly", "yes", "what was committed would be gone after a restart"},
    {"appendfsync", "always", "what was committed last would be gone with the power"},
    {"no-appendfsync-on-rewrite", "no", "nothing would be synced while its file is rewritten"},
    {"maxmemory-policy", "noeviction", "held calls would be thrown away where memory is short"},
}};

Failure Refusal(const std::string& why) {
  return {Failure::Kind::kPermanent, "store redis: " + why};
}

// The value of `name:value` in a line of what INFO says.
std::string FieldOf(const std::string& info, std::string_view name) {
  const std::size_t at = info.find("\n" + std::string(name) + ":");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return info.substr(begin, info.find_first_of("\r\n", begin) - begin);
}

int Number(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void MustBeShareable(const std::string& info) {
  const std::string version = FieldOf(info, "redis_version");
  if (Number(version) < kOldestServer) {
    throw Refusal("version " + version + " of the server is too old: 7.0 or newer is needed");
  }
  if (FieldOf(info, "cluster_enabled") == "1") {
    throw Refusal(
        "the server is in cluster mode, where no commit can span all keys: use one that "
        "is not (cluster-enabled no)");
  }
  if (FieldOf(info, "role") == "slave") {
    throw Failure(Failure::Kind::kTransient,
                  "store redis: the server is a replica: name the master");
  }
}

}  // namespace

void MustKeepWhatItCommits(RedisConnection& connection) {
  std::vector<RedisWords> commands = {
      {"INFO", "server"}, {"INFO", "cluster"}, {"INFO", "replication"}};
  for (const Setting& setting : kSettings) {
    commands.push_back({"CONFIG", "GET", std::string(setting.name)});
  }
  std::vector<RedisReply> replies;
  try {
    replies = connection.AskAll(commands);
  } catch (const RedisError& error) {
    throw Refusal(
        "it does not say whether it keeps what it commits; its user must be allowed INFO "
        "and CONFIG GET (" +
        std::string(error.what()) + ")");
  }
  MustBeShareable(replies[0].text + "\n" + replies[1].text + "\n" + replies[2].text);
  for (std::size_t i = 0; i < kSettings.size(); ++i) {
    const Setting& setting = kSettings[i];
    const std::vector<RedisReply>& pair = replies[3 + i].list;
    const std::string is = pair.size() == 2 ? pair[1].text : "not there";
    if (is == setting.wanted) continue;
    throw Refusal("its setting " + std::string(setting.name) + " is " + is + ", and must be " +
                  std::string(setting.wanted) + ": " + std::string(setting.why));
  }
}

std::string OpenRedisStore(RedisConnection& connection, const std::string& prefix) {
  const RedisReply schema = connection.Run(
      RedisScript::kOpen,
      {prefix, std::to_string(kSteps), router::HexOf(router::RandomBytes(kIdBytes))});
  if (schema.list.size() != 3 || schema.list[2].text.empty()) {
    throw Refusal("the key " + prefix + ":schema is not Writ's: choose another prefix");
  }
  if (Number(schema.list[1].text) > kSteps) {
    throw Refusal("a newer program has written there what this one can't read");
  }
  return schema.list[2].text;
}

void MustBeStore(RedisConnection& connection, const std::string& prefix, const std::string& id) {
  if (connection.Ask({"HGET", prefix + ":schema", "id"}).text == id) return;
  throw AnotherStore();
}

}  // namespace writ::store
