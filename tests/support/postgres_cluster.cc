#include "tests/support/postgres_cluster.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "tests/support/test_server.h"

namespace writ::tests {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kEnoughMemory = 512ULL * 1024 * 1024;

// A command that refuses to run as root, and ends with the test.
std::vector<std::string> AsPostgres(const std::vector<std::string>& command) {
  std::vector<std::string> whole = {"/usr/bin/setpriv", "--pdeathsig=QUIT"};
  if (::geteuid() == 0) {
    whole.insert(whole.end(), {"--reuid=postgres", "--regid=postgres", "--clear-groups"});
  }
  whole.emplace_back("--");
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  const std::string wanted = "PPid:\t" + std::to_string(parent);
  for (const fs::directory_entry& process : fs::directory_iterator("/proc")) {
    std::ifstream status(process.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line == wanted) children.push_back(std::stoi(process.path().filename()));
    }
  }
  return children;
}

// The fields of a process's line of the kernel's account, from its state (3) on; none: it is gone.
std::vector<double> AccountOf(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  std::vector<double> fields;
  std::istringstream rest(line.substr(std::min(line.size(), line.rfind(')') + 1)));
  std::string state;
  rest >> state;
  fields.push_back(0);
  for (double field = 0; rest >> field;) fields.push_back(field);
  return fields;
}

fs::path Programs() {
  fs::path debian = "/usr/lib/postgresql/15/bin";
  if (!fs::exists(debian / "initdb")) {
    throw std::runtime_error("PostgreSQL 15 is missing: `./dev test` installs it (postgresql-15)");
  }
  return debian;
}

}  // namespace

PostgresCluster::PostgresCluster(const Settings& settings, bool start)
    : folder_(NewServerFolder("writ-pg", kEnoughMemory)),
      programs_(Programs()),
      settings_(settings) {
  if (::geteuid() == 0) OutputOf({"chown", "postgres", folder_});
  OutputOf(AsPostgres({programs_ / "initdb", "-D", folder_ / "data", "-A", "trust", "-U",
                       "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions",
                       "--wal-segsize=1"}));
  if (start) Start();
}

PostgresCluster::~PostgresCluster() {
  if (server_) EndServer(*server_, SIGQUIT);
  server_.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void PostgresCluster::Start(const Settings& settings) {
  std::vector<std::string> command = AsPostgres({programs_ / "postgres", "-D", folder_ / "data"});
  const auto set = [&](const std::string& setting) {
    command.emplace_back("-c");
    command.push_back(setting);
  };
  set("listen_addresses=");
  set("unix_socket_directories=" + folder_.string());
  set("shared_buffers=32MB");
  set("max_wal_size=64MB");
  for (const std::string& setting : settings_) set(setting);
  for (const std::string& setting : settings) set(setting);
  server_ = std::make_unique<ChildProcess>(command, folder_ / "log");
  AwaitServer("PostgreSQL", *server_, folder_ / "log", [this] { return Answers(); });
}

bool PostgresCluster::Answers() const {
  try {
    OutputOf({programs_ / "pg_isready", "-q", "-h", folder_});
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

double PostgresCluster::CpuSeconds() const {
  constexpr std::size_t kOwn = 14 - 3;      // user time; system time behind it
  constexpr std::size_t kOfEnded = 16 - 3;  // the same of children that ended
  double ticks = 0;
  const auto add = [&](pid_t process, std::size_t until) {
    const std::vector<double> account = AccountOf(process);
    for (std::size_t i = kOwn; i < until && i < account.size(); ++i) ticks += account[i];
  };
  add(server_->pid(), kOfEnded + 2);
  for (const pid_t child : ChildrenOf(server_->pid())) add(child, kOwn + 2);
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void PostgresCluster::Stop() {
  EndServer(*server_, SIGINT);
  server_.reset();
}

void PostgresCluster::Kill() {
  const std::vector<pid_t> children = ChildrenOf(server_->pid());
  ::kill(server_->pid(), SIGKILL);
  for (const pid_t child : children) ::kill(child, SIGKILL);
  EndServer(*server_, SIGKILL);
  server_.reset();
}

std::string PostgresCluster::Dsn(const std::string& more) const {
  return "host=" + folder_.string() + " dbname=postgres " + more;
}

std::string PostgresCluster::Socket() const { return folder_ / ".s.PGSQL.5432"; }

std::string PostgresCluster::Run(const std::string& sql) const {
  return OutputOf({programs_ / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", folder_, "-U",
                   "postgres", "-c", sql, "postgres"});
}

PostgresCluster& SharedPostgres() {
  static PostgresCluster cluster;
  return cluster;
}

std::string NewSchema() {
  static std::atomic<int> made{0};
  return "test_" + std::to_string(++made);
}

}  // namespace writ::tests
