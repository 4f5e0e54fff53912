#include "tests/bench/node_under_load.h"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace writ::bench {
namespace {

using router::Json;

constexpr std::chrono::seconds kLongestStart{60};
constexpr std::chrono::seconds kLongestUnrest{300};

constexpr std::string_view kScript = R"([
  {"when": {"last_user_contains": "echo", "after_results": false},
   "reply": {"calls": [{"tool": "crm__echo", "arguments": {"message": "{{user_text}}"}}]}},
  {"when": {}, "reply": {"text": "That is noted."}}
])";

Json Array(std::initializer_list<Json> values) { return Json(Json::Array(values)); }

// The waits are long: what is held stays so while others are measured.
Json Limits() { return Json::MakeObject({{"approval_wait_s", 36000}, {"channel_wait_s", 36000}}); }

Json Config(const NodeSetup& setup) {
  Json crm = Json::MakeObject({{"id", "crm"},
                               {"kind", "mcp"},
                               {"url", setup.mcp_url},
                               {"require_approval", Array({"echo"})}});
  const Json script =
      Json::MakeObject({{"kind", "script"}, {"path", (setup.folder / "script.json").string()}});
  Json agent = Json::MakeObject({{"id", "helper"},
                                 {"user_id", kAgentUser},
                                 {"instructions", "You help the shift team."},
                                 {"chat_channels", Array({kAgentChannels})},
                                 {"model", setup.model.IsNull() ? script : setup.model},
                                 {"connectors", Array({std::move(crm)})},
                                 {"limits", Limits()}});
  Json app = Json::MakeObject({{"id", kApp},
                               {"platform", Json::MakeObject({{"kind", "stream"},
                                                              {"api_key", kApiKey},
                                                              {"api_secret", kApiSecret},
                                                              {"base_url", setup.chat_url}})},
                               {"agents", Array({std::move(agent)})}});
  const Json sqlite =
      Json::MakeObject({{"kind", "sqlite"}, {"path", (setup.folder / "writ.db").string()}});
  return Json::MakeObject(
      {{"listen", "127.0.0.1:0"},
       {"store", setup.store.IsNull() ? sqlite : setup.store},
       // Closed loops store faster than turns end.
       {"limits", Json::MakeObject({{"events_to_open", 1'000'000}, {"turns", 1'000'000}})},
       {"apps", Array({std::move(app)})}});
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

NodeUnderLoad::NodeUnderLoad(const NodeSetup& setup) {
  const auto config = setup.folder / "config.json";
  std::ofstream(setup.folder / "script.json") << kScript;
  std::ofstream(config) << Config(setup).Dump();
  const auto log = setup.folder / "writ.log";
  std::filesystem::remove(log);  // what an earlier node said is not this one's
  started_at_ = Steady::now();
  process_ = std::make_unique<tests::ChildProcess>(
      std::vector<std::string>{WRIT_PROGRAM, "serve", "--config", config}, log);
  WaitForListening(log);
}

void NodeUnderLoad::WaitForListening(const std::filesystem::path& log) {
  constexpr std::string_view kLine = "listening on http://127.0.0.1:";
  while (Steady::now() < started_at_ + kLongestStart && process_->IsRunning()) {
    const std::string text = ReadFile(log);
    const std::size_t at = text.find(kLine);
    if (at != std::string::npos && text.find('\n', at) != std::string::npos) {
      start_took_ = Steady::now() - started_at_;
      port_ = std::stoi(text.substr(at + kLine.size()));
      return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // nothing tells of a file
  }
  throw std::runtime_error("the node does not listen: " + ReadFile(log));
}

ProcessFigures NodeUnderLoad::Figures() const {
  ProcessFigures figures;
  std::ifstream status("/proc/" + std::to_string(process_->pid()) + "/status");
  for (std::string name; status >> name;) {
    double value = 0;
    if (name == "VmRSS:" && status >> value) figures.resident_mb = value / 1024;
    if (name == "Threads:" && status >> value) figures.threads = value;
  }
  const std::filesystem::path fds = "/proc/" + std::to_string(process_->pid()) + "/fd";
  figures.files = static_cast<double>(std::distance(std::filesystem::directory_iterator(fds), {}));
  return figures;
}

double NodeUnderLoad::CpuSeconds() const {
  const std::string stat = ReadFile("/proc/" + std::to_string(process_->pid()) + "/stat");
  // The name, field 2, stands in brackets; user and system time are fields 14 and 15.
  std::istringstream rest(stat.substr(stat.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) rest >> skipped;
  double user = 0;
  double system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void LetWorkersGo() {
  std::this_thread::sleep_for(kUntilWorkersGo);  // a wait for fewer would be what is measured
}

void NodeUnderLoad::WaitUntilIdle() const {
  constexpr std::chrono::milliseconds kPause{500};
  const auto deadline = Steady::now() + kLongestUnrest;
  double before = CpuSeconds();
  while (Steady::now() < deadline) {
    std::this_thread::sleep_for(kPause);  // the kernel's account is what is waited for
    const double now = CpuSeconds();
    if (now - before <= 0.01) return;  // a tick of it
    before = now;
  }
  throw std::runtime_error("the node does not come to rest");
}

}  // namespace writ::bench
