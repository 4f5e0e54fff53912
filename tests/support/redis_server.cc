#include "tests/support/redis_server.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace writ::tests {
namespace {

namespace fs = std::filesystem;

// Debian's redis-tools has the whole server: the file is a checker or the server, by the name that
// it is called by. The package redis-server has no more than such a name, and starts a service.
constexpr const char* kProgram = "/usr/bin/redis-check-rdb";
constexpr const char* kName = "redis-server";

// Memory where there is enough of it: a test's server is gone when the power is.
fs::path NewFolder() {
  constexpr std::uintmax_t kEnough = 256ULL * 1024 * 1024;
  std::error_code error;
  const fs::space_info memory = fs::space("/dev/shm", error);
  const fs::path place =
      !error && memory.available >= kEnough ? fs::path("/dev/shm") : fs::temp_directory_path();
  std::string name = place / "writ-redis-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
  return name;
}

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text) {
    quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return quoted + "'";
}

}  // namespace

RedisServer::RedisServer(const Settings& settings, bool start)
    : folder_(NewFolder()), settings_(settings) {
  // As the program does: a connection that has ended is an error of its use, no signal.
  (void)::signal(SIGPIPE, SIG_IGN);
  if (!fs::exists(kProgram)) {
    throw std::runtime_error("Redis is missing: `./dev test` installs it (redis-tools)");
  }
  fs::create_symlink(kProgram, folder_ / kName);
  if (start) Start();
}

RedisServer::~RedisServer() {
  if (server_) WaitForEnd(SIGKILL);
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
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!Answers()) {
    if (!server_->IsRunning() || std::chrono::steady_clock::now() > deadline) {
      std::stringstream log;
      log << std::ifstream(folder_ / "log").rdbuf();
      throw std::runtime_error("Redis did not start: " + log.str());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // nothing tells of it
  }
}

bool RedisServer::Answers() const {
  try {
    return Run({"PING"}).find("PONG") == 0;
  } catch (const std::runtime_error&) {
    return false;
  }
}

void RedisServer::Stop() {
  WaitForEnd(SIGTERM);
  server_.reset();
}

void RedisServer::Kill() {
  WaitForEnd(SIGKILL);
  server_.reset();
}

void RedisServer::Signal(int signal) { ::kill(server_->pid(), signal); }

void RedisServer::WaitForEnd(int signal) {
  ::kill(server_->pid(), signal);
  while (server_->IsRunning()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

std::string RedisServer::Socket() const { return folder_ / "redis.sock"; }

std::string RedisServer::Run(const std::vector<std::string>& command) const {
  std::string line = "redis-cli -e -s " + Quoted(Socket());
  for (const std::string& word : command) line += " " + Quoted(word);
  FILE* pipe = popen((line + " 2>&1").c_str(), "r");  // NOLINT(cert-env33-c)
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  std::string output;
  for (int character = std::fgetc(pipe); character != EOF; character = std::fgetc(pipe)) {
    output += static_cast<char>(character);
  }
  if (pclose(pipe) != 0) throw std::runtime_error(command.at(0) + " failed: " + output);
  return output;
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
