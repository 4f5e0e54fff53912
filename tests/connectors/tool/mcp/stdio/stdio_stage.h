#pragma once

#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "bot/process/system_clock.h"
#include "connectors/http/curl_loop.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "connectors/tool/mcp/stdio/stdio_transport.h"
#include "router/base/json.h"
#include "router/tool/connector.h"
#include "tests/support/recording_log.h"
#include "tests/support/stage/eventually.h"
#include "tests/support/temporary_folder.h"

namespace writ::tests {

// An MCP connector to tests/support/stdio_stub.cc.
class StdioStage {
 public:
  explicit StdioStage(const std::vector<std::string>& flags = {},
                      connectors::McpEra era = connectors::McpEra::kAuto) {
    connectors::StdioServer::Options server;
    server.name = "crm";
    server.command.argv = {STDIO_STUB, folder_.path()};
    server.command.argv.insert(server.command.argv.end(), flags.begin(), flags.end());
    server.command.environment = {{"STUB_SECRET", "s3cr3t-env"}, {"TZ", "UTC"}};
    server.command.folder = folder_.path();
    server.longest_line = std::size_t{1} << 20;
    Use(server, era);
  }
  ~StdioStage() { End(); }
  StdioStage(const StdioStage&) = delete;
  StdioStage& operator=(const StdioStage&) = delete;

  void Use(connectors::StdioServer::Options server,
           connectors::McpEra era = connectors::McpEra::kAuto) {
    connectors::McpOptions options;
    options.name = server.name;
    options.era = era;
    options.timeout = std::chrono::seconds(20);
    transport_ = std::make_shared<connectors::StdioTransport>(
        connectors::StdioServer::World{*pipes_, *loop_, log_}, std::move(server));
    connector_ =
        std::make_unique<connectors::McpConnector>(*loop_, clock_, log_, options, transport_);
  }
  // As the node does it.
  void StopPipes() {
    if (pipes_) pipes_->Stop();
  }
  void End() {
    StopPipes();
    loop_.reset();
    connector_.reset();
    transport_.reset();
    pipes_.reset();
  }

  // What the next calls do.
  void Control(const std::string& mode, const std::string& text = "") {
    std::ofstream(folder_.File("control"))
        << router::Json::MakeObject({{"mode", mode}, {"text", text}}).Dump();
  }
  // The lines that the stub has written.
  [[nodiscard]] std::vector<router::Json> Record() const {
    std::vector<router::Json> lines;
    std::ifstream file(folder_.File("record"));
    for (std::string line; std::getline(file, line);) {
      if (auto parsed = router::ParseJson(line); parsed.value) {
        lines.push_back(*std::move(parsed.value));
      }
    }
    return lines;
  }
  [[nodiscard]] std::vector<router::Json> RecordOf(const std::string& what) const {
    std::vector<router::Json> lines;
    for (const router::Json& line : Record()) {
      if (line.Find(what) != nullptr) lines.push_back(line);
    }
    return lines;
  }

  [[nodiscard]] router::ToolListOutcome List() {
    auto listed = std::make_shared<std::promise<router::ToolListOutcome>>();
    connector_->ListTools(std::chrono::milliseconds(0), {}, [listed](router::ToolListOutcome came) {
      listed->set_value(std::move(came));
    });
    return listed->get_future().get();
  }
  // Of the transport itself.
  [[nodiscard]] std::future<connectors::McpAnswer> StartAsking(
      connectors::McpTransport::Request request) {
    auto answer = std::make_shared<std::promise<connectors::McpAnswer>>();
    transport_->Ask(std::move(request), nullptr, {},
                    [answer](connectors::McpAnswer came) { answer->set_value(std::move(came)); });
    return answer->get_future();
  }
  [[nodiscard]] connectors::McpAnswer Ask(connectors::McpTransport::Request request) {
    return StartAsking(std::move(request)).get();
  }
  [[nodiscard]] std::future<router::CallReport> Start(
      const std::string& arguments = R"({"message":"hi"})",
      std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    router::CallRequest call;
    call.tool = "echo";
    call.arguments = arguments;
    call.idempotency_key = "call_7";
    call.timeout = timeout;
    return Start(call);
  }
  [[nodiscard]] std::future<router::CallReport> Start(const router::CallRequest& call) {
    auto report = std::make_shared<std::promise<router::CallReport>>();
    connector_->Call(call, stop_.get_token(),
                     [report](router::CallReport came) { report->set_value(std::move(came)); });
    return report->get_future();
  }
  [[nodiscard]] router::CallReport Call(
      const std::string& arguments = R"({"message":"hi"})",
      std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    return Start(arguments, timeout).get();
  }
  [[nodiscard]] bool WaitForCalls(std::size_t count) const {
    return Eventually([&] { return RecordOf("arguments").size() >= count; });
  }

  [[nodiscard]] router::Connector& connector() { return *connector_; }
  [[nodiscard]] const RecordingLog& log() const { return log_; }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
  [[nodiscard]] std::stop_source& stop() { return stop_; }

 private:
  TemporaryFolder folder_;
  RecordingLog log_;
  bot::SystemClock clock_;
  std::stop_source stop_;
  connectors::CurlEnvironment curl_;
  std::unique_ptr<connectors::PipeLoop> pipes_ = std::make_unique<connectors::PipeLoop>();
  std::shared_ptr<connectors::StdioTransport> transport_;
  std::unique_ptr<connectors::McpConnector> connector_;
  std::unique_ptr<connectors::CurlLoop> loop_ = std::make_unique<connectors::CurlLoop>(curl_);
};

}  // namespace writ::tests
