#include "tests/support/test_server.h"

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

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text) {
    quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return quoted + "'";
}

}  // namespace

fs::path NewServerFolder(const std::string& name, std::uintmax_t enough) {
  std::error_code error;
  const fs::space_info memory = fs::space("/dev/shm", error);
  const fs::path place =
      !error && memory.available >= enough ? fs::path("/dev/shm") : fs::temp_directory_path();
  std::string folder = place / (name + "-XXXXXX");
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder " + folder);
  return folder;
}

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

void AwaitServer(const std::string& name, ChildProcess& server, const fs::path& log,
                 const std::function<bool()>& answers) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!answers()) {
    if (!server.IsRunning() || std::chrono::steady_clock::now() > deadline) {
      std::stringstream words;
      words << std::ifstream(log).rdbuf();
      throw std::runtime_error(name + " did not start: " + words.str());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // nothing tells of it
  }
}

void EndServer(ChildProcess& server, int signal) {
  ::kill(server.pid(), signal);
  while (server.IsRunning()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace writ::tests
