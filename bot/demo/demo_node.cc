#include "bot/demo/demo_node.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>
#include <variant>

#include "router/base/failure.h"

namespace writ::bot {
namespace {

using router::Failure;

constexpr std::chrono::seconds kLongestStart{20};
constexpr std::chrono::seconds kLongestStop{10};
constexpr std::string_view kListens = "listening on http://127.0.0.1:";

// What can be read now, appended. False at the end.
bool ReadInto(std::string& text, int from) {
  std::array<char, 4096> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const ssize_t count = ::read(from, bytes.data(), bytes.size());
  if (count > 0) text.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

// The port of a whole line that says where it listens; 0: not said yet.
int PortIn(std::string_view output) {
  const std::size_t at = output.find(kListens);
  const std::size_t end = output.find('\n', at);
  if (at == std::string_view::npos || end == std::string_view::npos) return 0;
  const std::string_view digits = output.substr(at + kListens.size(), end - at - kListens.size());
  int port = 0;
  std::from_chars(digits.begin(), digits.end(), port);
  return port;
}

// The demo's terminal is for its story: of the node's log only trouble is shown.
bool IsTrouble(std::string_view line) {
  return line.find(R"("level":"warn)") != std::string_view::npos ||
         line.find(R"("level":"error)") != std::string_view::npos || !line.starts_with('{');
}

}  // namespace

void DemoNode::Start() {
  if (running()) return;
  std::error_code fault;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", fault);
  if (fault) throw Failure(Failure::Kind::kPermanent, "can't find this program's own file");
  auto spawned = connectors::Spawn({{self.string(), "demo", "--node", config_path_, "--listen",
                                     "127.0.0.1:" + std::to_string(port_)},
                                    {},
                                    ""});
  if (const auto* why = std::get_if<std::string>(&spawned)) {
    throw Failure(Failure::Kind::kPermanent, "the demo's node: " + *why);
  }
  process_ = std::get<connectors::Spawned>(std::move(spawned));
  pid_ = process_->pid;
  try {
    WaitUntilItListens();
  } catch (const Failure&) {
    Kill();
    throw;
  }
}

void DemoNode::WaitUntilItListens() {
  const auto deadline = std::chrono::steady_clock::now() + kLongestStart;
  std::string output;
  std::string said;
  bool talks = true;
  while (talks && PortIn(output) == 0 && std::chrono::steady_clock::now() < deadline) {
    std::array<pollfd, 2> ready{
        {{process_->out.get(), POLLIN, 0}, {process_->err.get(), POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), 100);
    talks = ReadInto(output, process_->out.get());
    ReadInto(said, process_->err.get());
  }
  if (PortIn(output) == 0) {
    throw Failure(Failure::Kind::kPermanent, "the demo's node did not start: " + said);
  }
  port_ = PortIn(output);
  listener_ = std::jthread([this, said = std::move(said)] { PassTroubleOn(said); });
}

// Until it has ended: a pipe that nobody reads would hold it up.
void DemoNode::PassTroubleOn(std::string said) {
  for (bool talks = true; talks;) {
    pollfd ready{process_->err.get(), POLLIN, 0};
    ::poll(&ready, 1, -1);
    talks = ReadInto(said, process_->err.get());
    for (std::size_t end = said.find('\n'); end != std::string::npos; end = said.find('\n')) {
      if (IsTrouble(std::string_view(said).substr(0, end)))
        std::fprintf(stderr, "%.*s\n", static_cast<int>(end), said.data());
      said.erase(0, end + 1);
    }
  }
}

void DemoNode::Kill() {
  if (!process_) return;
  ::kill(-process_->pid, SIGKILL);
  WaitUntilItIsGone();
}

void DemoNode::Stop() {
  if (!process_) return;
  ::kill(process_->pid, SIGTERM);
  pollfd gone{process_->exit.get(), POLLIN, 0};
  const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(kLongestStop);
  if (::poll(&gone, 1, static_cast<int>(patience.count())) <= 0) ::kill(-process_->pid, SIGKILL);
  WaitUntilItIsGone();
}

void DemoNode::WaitUntilItIsGone() {
  ::waitpid(process_->pid, nullptr, 0);
  pid_ = 0;
  listener_ = {};  // its pipes are at their end
  process_.reset();
}

}  // namespace writ::bot
