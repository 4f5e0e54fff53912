#include "tests/chaos/nodes.h"

#include <csignal>
#include <fstream>
#include <utility>

#include "tests/support/child_process.h"

namespace writ::chaos {

using tests::Program;

namespace {

// Beyond `drain_s` of the configuration.
constexpr std::chrono::seconds kLongestEnd{40};
constexpr std::chrono::seconds kPauseOfSystemd{2};

}  // namespace

Nodes::Nodes(const std::vector<router::Json>& configs, std::string folder)
    : folder_(std::move(folder)), nodes_(configs.size()) {
  for (std::size_t node = 0; node < configs.size(); ++node) {
    std::ofstream(folder_ + "/node-" + std::to_string(node) + ".json") << configs[node].Dump();
    nodes_[node].port = tests::FreePort();
  }
}

std::string Nodes::UrlOf(std::size_t node) const {
  return "http://127.0.0.1:" + std::to_string(PortOf(node));
}

void Nodes::Start(std::size_t node) {
  LookAt(node);
  const std::string config = folder_ + "/node-" + std::to_string(node) + ".json";
  nodes_[node].program.reset();
  nodes_[node].program = std::make_unique<Program>(
      std::vector<std::string>{"/usr/bin/setpriv", "--pdeathsig=KILL", "--", tests::PathOfWrit(),
                               "serve", "--config", config, "--listen",
                               "127.0.0.1:" + std::to_string(PortOf(node))},
      Program::Environment{}, LogOf(node));
  nodes_[node].told_to_end = false;
  nodes_[node].killed = false;
  nodes_[node].starts_again.reset();
}

void Nodes::Kill(std::size_t node) {
  LookAt(node);
  nodes_[node].starts_again.reset();
  nodes_[node].killed = true;
  if (nodes_[node].program) nodes_[node].program->Kill();
}

void Nodes::Signal(std::size_t node, int signal) {
  if (!nodes_[node].program || nodes_[node].program->HasEnded()) return;
  if (signal == SIGTERM) nodes_[node].told_to_end = true;
  nodes_[node].program->Signal(signal);
}

bool Nodes::HasEnded(std::size_t node) {
  return !nodes_[node].program || nodes_[node].program->HasEnded();
}

void Nodes::LookAt(std::size_t node) {
  Node& one = nodes_[node];
  if (!one.program || one.killed || one.starts_again || !one.program->HasEnded()) return;
  const int code = one.program->WaitForEnd().value_or(-1);
  if (one.told_to_end && code == 0) return;
  const bool had_begun = one.program->output().find("listening on") != std::string::npos;
  if (code == 1 && !had_begun) {
    if (!one.told_to_end) one.starts_again = std::chrono::steady_clock::now() + kPauseOfSystemd;
    return;
  }
  one.killed = true;  // told once
  faults_.push_back("node " + std::to_string(node) + " ended with " + std::to_string(code) +
                    (one.told_to_end ? " when it was told to end" : " by itself"));
}

void Nodes::Supervise() {
  for (std::size_t node = 0; node < count(); ++node) {
    LookAt(node);
    const auto& again = nodes_[node].starts_again;
    if (again && *again <= std::chrono::steady_clock::now()) Start(node);
  }
}

std::string Nodes::LogOf(std::size_t node) const {
  return folder_ + "/node-" + std::to_string(node) + ".log";
}

std::vector<std::string> Nodes::TakeFaults() {
  for (std::size_t node = 0; node < count(); ++node) LookAt(node);
  return std::exchange(faults_, {});
}

void Nodes::TerminateAll() {
  for (std::size_t node = 0; node < count(); ++node) {
    Signal(node, SIGCONT);
    Signal(node, SIGTERM);
  }
  for (std::size_t node = 0; node < count(); ++node) {
    if (nodes_[node].program && !nodes_[node].program->WaitForEnd(kLongestEnd)) {
      faults_.push_back("node " + std::to_string(node) + " did not end when it was told to");
      Kill(node);
    }
    std::ifstream log(LogOf(node));
    for (std::string line; std::getline(log, line);) {
      const bool is_sanitizers = line.find("Sanitizer") != std::string::npos ||
                                 line.find("runtime error:") != std::string::npos;
      if (is_sanitizers) faults_.push_back("node " + std::to_string(node) + ": " + line);
    }
  }
}

}  // namespace writ::chaos
