#include "tests/support/postgres_cluster.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
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

// Memory where there is enough of it: a test's cluster is gone when the power is.
fs::path PlaceForClusters() {
  constexpr std::uintmax_t kEnough = 512ULL * 1024 * 1024;
  std::error_code error;
  const fs::space_info memory = fs::space("/dev/shm", error);
  return !error && memory.available >= kEnough ? fs::path("/dev/shm") : fs::temp_directory_path();
}

fs::path NewFolder() {
  std::string name = PlaceForClusters() / "writ-pg-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
  return name;
}

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

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text) {
    quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return quoted + "'";
}

// What a command prints; its output is in the exception where it fails.
std::string OutputOf(const std::vector<std::string>& command) {
  std::string line = "cd / && ";
  for (const std::string& word : command) line += Quoted(word) + " ";
  FILE* pipe = popen((line + "2>&1").c_str(), "r");  // NOLINT(cert-env33-c)
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  std::string output;
  for (int character = std::fgetc(pipe); character != EOF; character = std::fgetc(pipe)) {
    output += static_cast<char>(character);
  }
  if (pclose(pipe) != 0) throw std::runtime_error(command.at(0) + " failed: " + output);
  return output;
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
    : folder_(NewFolder()), programs_(Programs()), settings_(settings) {
  if (::geteuid() == 0) OutputOf({"chown", "postgres", folder_});
  OutputOf(AsPostgres({programs_ / "initdb", "-D", folder_ / "data", "-A", "trust", "-U",
                       "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions",
                       "--wal-segsize=1"}));
  if (start) Start();
}

PostgresCluster::~PostgresCluster() {
  if (server_) WaitForEnd(SIGQUIT);
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
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!Answers()) {
    if (!server_->IsRunning() || std::chrono::steady_clock::now() > deadline) {
      std::stringstream log;
      log << std::ifstream(folder_ / "log").rdbuf();
      throw std::runtime_error("PostgreSQL did not start: " + log.str());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // nothing tells of it
  }
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
  WaitForEnd(SIGINT);
  server_.reset();
}

void PostgresCluster::Kill() {
  const std::vector<pid_t> children = ChildrenOf(server_->pid());
  ::kill(server_->pid(), SIGKILL);
  for (const pid_t child : children) ::kill(child, SIGKILL);
  WaitForEnd(SIGKILL);
  server_.reset();
}

void PostgresCluster::WaitForEnd(int signal) {
  ::kill(server_->pid(), signal);
  while (server_->IsRunning()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
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
