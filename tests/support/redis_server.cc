#include "tests/support/redis_server.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <system_error>

#include "tests/support/test_server.h"

namespace writ::tests {
namespace {

namespace fs = std::filesystem;

// Debian's redis-tools has the whole server: the file is a checker or the server, by the name that
// it is called by. The package redis-server has no more than such a name, and starts a service.
constexpr const char* kProgram = "/usr/bin/redis-check-rdb";
constexpr const char* kName = "redis-server";

constexpr std::uintmax_t kEnoughMemory = 256ULL * 1024 * 1024;

}  // namespace

RedisServer::RedisServer(const Settings& settings, bool start)
    : folder_(NewServerFolder("writ-redis", kEnoughMemory)), settings_(settings) {
  // As the program does: a connection that has ended is an error of its use, no signal.
  (void)::signal(SIGPIPE, SIG_IGN);
  if (!fs::exists(kProgram)) {
    throw std::runtime_error("Redis is missing: `./dev test` installs it (redis-tools)");
  }
  fs::create_symlink(kProgram, folder_ / kName);
  if (start) Start();
}

RedisServer::~RedisServer() {
  if (server_) EndServer(*server_, SIGKILL);
  server_.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void RedisServer::Start(const Settings& settings) {
  std::vector<std::string> command = {"/usr/bin/setpriv",
                                      "--pdeathsig=KILL",
                                      "--",
                                      folder_ / kName,
                                      "--port",
                                      "0",
                                      "--unixsocket",
                                      Socket(),
                                      "--dir",
                                      folder_.string(),
                                      "--save",
                                      "",
                                      "--appendonly",
                                      "yes",
                                      "--appendfsync",
                                      "always"};
  command.insert(command.end(), settings_.begin(), settings_.end());
  command.insert(command.end(), settings.begin(), settings.end());
  server_ = std::make_unique<ChildProcess>(command, folder_ / "log");
  AwaitServer("Redis", *server_, folder_ / "log", [this] { return Answers(); });
}

bool RedisServer::Answers() const {
  try {
    return Run({"PING"}).find("PONG") == 0;
  } catch (const std::runtime_error&) {
    return false;
  }
}

void RedisServer::Stop() {
  EndServer(*server_, SIGTERM);
  server_.reset();
}

void RedisServer::Kill() {
  EndServer(*server_, SIGKILL);
  server_.reset();
}

void RedisServer::Signal(int signal) { ::kill(server_->pid(), signal); }

std::string RedisServer::Socket() const { return folder_ / "redis.sock"; }

std::string RedisServer::Run(const std::vector<std::string>& command) const {
  std::vector<std::string> line = {"redis-cli", "-e", "-s", Socket()};
  line.insert(line.end(), command.begin(), command.end());
  return OutputOf(line);
}

RedisServer& SharedRedis() {
  static RedisServer server;
  return server;
}

std::string NewPrefix() {
  static std::atomic<int> made{0};
  return "test_" + std::to_string(++made);
}

}  // namespace writ::tests
