#include "store/redis/connection.h"

#include <poll.h>
#include <sys/time.h>

#include <algorithm>
#include <utility>

#include "store/redis/failures.h"

namespace writ::store {

namespace {

timeval ToTimeval(std::chrono::milliseconds duration) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
  return {.tv_sec = seconds.count(),
          .tv_usec = std::chrono::microseconds(duration - seconds).count()};
}

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};

RedisReply Copied(const redisReply& reply) {
  RedisReply copy;
  switch (reply.type) {
    case REDIS_REPLY_INTEGER:
      copy.kind = RedisReply::Kind::kNumber;
      copy.number = reply.integer;
      break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      copy.kind = RedisReply::Kind::kText;
      copy.text.assign(reply.str, static_cast<std::size_t>(reply.len));
      break;
    case REDIS_REPLY_ARRAY:
      copy.kind = RedisReply::Kind::kList;
      copy.list.reserve(reply.elements);
      for (std::size_t i = 0; i < reply.elements; ++i) {
        copy.list.push_back(Copied(*reply.element[i]));
      }
      break;
    case REDIS_REPLY_ERROR:
      throw RedisError(std::string(reply.str, static_cast<std::size_t>(reply.len)));
    default:
      break;
  }
  return copy;
}

redisContext* Connected(const RedisAddress& address, const RedisOptions& options) {
  const timeval timeout = ToTimeval(options.connect_timeout);
  return address.path.empty() ? redisConnectWithTimeout(address.host.c_str(), address.port, timeout)
                              : redisConnectUnixWithTimeout(address.path.c_str(), timeout);
}

}  // namespace

RedisConnection::RedisConnection(const RedisAddress& address, const RedisOptions& options,
                                 RedisCounts& counts)
    : counts_(counts), context_(Connected(address, options)) {
  if (!context_ || context_->err != 0) throw RedisLost("it can't be reached");
  if (address.path.empty()) (void)redisEnableKeepAlive(context_.get());
  (void)redisSetTimeout(context_.get(), ToTimeval(options.silence));
  if (!address.password.empty()) {
    RedisWords who = {"AUTH"};
    if (!address.user.empty()) who.push_back(address.user);
    who.push_back(address.password);
    (void)Ask(who);
  }
  std::vector<RedisWords> commands = {{"SELECT", std::to_string(address.database)},
                                      {"CLIENT", "SETNAME", "writ"}};
  for (const RedisScript script : kRedisScripts) {
    commands.push_back({"SCRIPT", "LOAD", TextOf(script)});
  }
  const std::vector<RedisReply> replies = AskAll(commands);
  std::transform(replies.end() - static_cast<std::ptrdiff_t>(digests_.size()), replies.end(),
                 digests_.begin(), [](const RedisReply& reply) { return reply.text; });
}

void RedisConnection::Send(const RedisWords& command) {
  if (lost_) throw RedisLost("the connection is gone");
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;
  texts.reserve(command.size());
  lengths.reserve(command.size());
  for (const std::string& word : command) {
    texts.push_back(word.data());
    lengths.push_back(word.size());
  }
  ++counts_.commands;
  if (redisAppendCommandArgv(context_.get(), static_cast<int>(command.size()), texts.data(),
                             lengths.data()) != REDIS_OK) {
    Lose();
  }
}

RedisReply RedisConnection::Receive() {
  void* received = nullptr;
  if (redisGetReply(context_.get(), &received) != REDIS_OK || received == nullptr) Lose();
  const std::unique_ptr<redisReply, FreeReply> reply(static_cast<redisReply*>(received));
  try {
    return Copied(*reply);
  } catch (const RedisError& error) {
    if (!EndsConnection(error)) throw;
    lost_ = true;
    throw RedisLost(error.what());
  }
}

std::vector<RedisReply> RedisConnection::AskAll(const std::vector<RedisWords>& commands) {
  for (const RedisWords& command : commands) Send(command);
  ++counts_.round_trips;
  std::vector<RedisReply> replies;
  replies.reserve(commands.size());
  std::optional<RedisError> refusal;  // the first; the answers to the others are read all the same
  for (std::size_t i = 0; i < commands.size(); ++i) {
    try {
      replies.push_back(Receive());
    } catch (const RedisError& error) {
      if (!refusal) refusal = error;
    }
  }
  if (refusal) throw RedisError(*refusal);
  return replies;
}

RedisReply RedisConnection::Run(RedisScript script, const RedisWords& arguments) {
  RedisWords command = {Writes(script) ? "EVALSHA" : "EVALSHA_RO",
                        digests_.at(static_cast<std::size_t>(script)), "0"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  try {
    return Ask(command);
  } catch (const RedisError& error) {
    if (error.code() != "NOSCRIPT") throw;
  }
  // Somebody emptied the server's memory of scripts.
  command[0] = Writes(script) ? "EVAL" : "EVAL_RO";
  command[1] = TextOf(script);
  return Ask(command);
}

bool RedisConnection::IsLost() const {
  if (lost_) return true;
  // Nothing is asked, so nothing may be there to be read but the connection's end.
  pollfd socket{.fd = context_->fd, .events = POLLIN, .revents = 0};
  return ::poll(&socket, 1, 0) != 0;
}

void RedisConnection::Lose() {
  lost_ = true;
  // hiredis' words are of the socket or the protocol, never of what was said.
  throw RedisLost("the connection was lost: " + std::string(context_->errstr));
}

void RedisConnection::Subscribe(const std::string& channel) { (void)Ask({"SUBSCRIBE", channel}); }

std::optional<std::string> RedisConnection::AwaitMessage(std::chrono::milliseconds within,
                                                         int wake) {
  void* received = nullptr;
  if (redisGetReplyFromReader(context_.get(), &received) != REDIS_OK) Lose();
  if (received == nullptr) {
    std::array<pollfd, 2> sockets{{{.fd = context_->fd, .events = POLLIN, .revents = 0},
                                   {.fd = wake, .events = POLLIN, .revents = 0}}};
    (void)::poll(sockets.data(), sockets.size(), static_cast<int>(within.count()));
    if (sockets[0].revents == 0) return std::nullopt;
    if (redisBufferRead(context_.get()) != REDIS_OK ||
        redisGetReplyFromReader(context_.get(), &received) != REDIS_OK) {
      Lose();
    }
  }
  if (received == nullptr) return std::nullopt;
  const std::unique_ptr<redisReply, FreeReply> reply(static_cast<redisReply*>(received));
  const RedisReply message = Copied(*reply);  // `message`, channel, text
  if (message.list.size() != 3) return std::nullopt;
  return message.list[2].text;
}

}  // namespace writ::store
