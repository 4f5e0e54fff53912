#include "tests/contract/connector_contract.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bot/http/server.h"
#include "bot/process/system_clock.h"
#include "connectors/http/curl_loop.h"
#include "connectors/tool/http_tool/http_tool_connector.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "connectors/tool/mcp/stdio/stdio_transport.h"
#include "tests/support/mcp_stub.h"
#include "tests/support/recording_log.h"
#include "tests/support/stage/eventually.h"
#include "tests/support/temporary_folder.h"

namespace writ::tests {
namespace {

using Arrivals = std::vector<std::pair<std::string, std::string>>;

template <bool kEvents>
class McpRig {
 public:
  McpRig() {
    stub_->AnswerWithEvents(kEvents);
    connectors::McpOptions options;
    options.name = "crm";
    options.url = stub_->url();
    connector_ = std::make_unique<connectors::McpConnector>(loop_, clock_, log_, options);
  }

  router::Connector& connector() { return *connector_; }
  void AnswerWith(std::string text) { Answer({McpStubAnswer::Kind::kText, std::move(text), 0}); }
  void FailByItself(std::string text) {
    Answer({McpStubAnswer::Kind::kToolError, std::move(text), 0});
  }
  void BreakDown() { Answer({McpStubAnswer::Kind::kEndsEarly, "", 0}); }
  void Stall() { stub_->Stall("echo"); }
  void GoAway() { stub_.reset(); }
  Arrivals Arrived() {
    Arrivals arrivals;
    for (const McpCall& call : stub_->calls()) {
      arrivals.emplace_back(call.arguments.Dump(), call.idempotency_key);
    }
    return arrivals;
  }
  bool WaitForArrivals(std::size_t count) { return stub_->WaitForCalls(count); }

 private:
  void Answer(const McpStubAnswer& answer) {
    McpStubTool echo;
    echo.name = "echo";
    echo.run = [answer](const McpCall&) { return answer; };
    stub_->SetTool(std::move(echo));
  }

  RecordingLog log_;
  bot::SystemClock clock_;
  std::unique_ptr<McpStub> stub_ = std::make_unique<McpStub>();
  std::unique_ptr<connectors::McpConnector> connector_;
  connectors::CurlEnvironment curl_;
  connectors::CurlLoop loop_{curl_};  // ends first: its callbacks use the connector
};

class HttpToolRig {
 public:
  HttpToolRig() {
    server_ = std::make_unique<bot::Server>(
        bot::ServerOptions{}, [this](const bot::Request& request) { return Handle(request); },
        log_);
    server_->Start();
    connectors::HttpTool echo;
    echo.name = "echo";
    echo.path = "/echo";
    echo.input_schema = router::Json::MakeObject({{"type", "object"}});
    connectors::HttpToolOptions options{
        "crm", "http://127.0.0.1:" + std::to_string(server_->port()), {}, {echo}};
    options.public_only = false;
    connector_ = std::make_unique<connectors::HttpToolConnector>(loop_, clock_, options);
  }
  ~HttpToolRig() {
    LetGo();
    GoAway();
  }
  HttpToolRig(const HttpToolRig&) = delete;
  HttpToolRig& operator=(const HttpToolRig&) = delete;

  router::Connector& connector() { return *connector_; }
  void AnswerWith(std::string text) { Answer(200, std::move(text)); }
  void FailByItself(std::string text) { Answer(422, std::move(text)); }
  void BreakDown() { Answer(502, ""); }
  void Stall() {
    const std::lock_guard lock(mutex_);
    stalled_ = true;
  }
  void GoAway() { server_.reset(); }
  Arrivals Arrived() {
    const std::lock_guard lock(mutex_);
    return arrived_;
  }
  bool WaitForArrivals(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds{30},
                             [&] { return arrived_.size() >= count; });
  }

 private:
  void Answer(int status, std::string text) {
    const std::lock_guard lock(mutex_);
    status_ = status;
    text_ = std::move(text);
  }
  void LetGo() {
    const std::lock_guard lock(mutex_);
    stalled_ = false;
    changed_.notify_all();
  }
  bot::Response Handle(const bot::Request& request) {
    std::unique_lock lock(mutex_);
    const std::string* key = request.Header("idempotency-key");
    arrived_.emplace_back(request.body, key == nullptr ? "" : *key);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !stalled_; });
    bot::Response response;
    response.status = status_;
    response.content_type = "text/plain";
    response.body = text_;
    return response;
  }

  RecordingLog log_;
  bot::SystemClock clock_;
  std::mutex mutex_;  // guards all of these
  std::condition_variable changed_;
  bool stalled_ = false;
  int status_ = 200;
  std::string text_;
  Arrivals arrived_;

  std::unique_ptr<bot::Server> server_;
  std::unique_ptr<connectors::HttpToolConnector> connector_;
  connectors::CurlEnvironment curl_;
  connectors::CurlLoop loop_{curl_};  // ends first: its callbacks use the connector
};

// A program that is the server.
class StdioRig {
 public:
  StdioRig() {
    std::filesystem::create_symlink(STDIO_STUB, folder_.File("server"));
    connectors::StdioServer::Options server;
    server.name = "crm";
    server.command.argv = {folder_.File("server"), folder_.path().string()};
    connectors::McpOptions options;
    options.name = server.name;
    connector_ = std::make_unique<connectors::McpConnector>(
        loop_, clock_, log_, options,
        std::make_shared<connectors::StdioTransport>(
            connectors::StdioServer::World{pipes_, loop_, log_}, std::move(server)));
  }
  ~StdioRig() { pipes_.Stop(); }
  StdioRig(const StdioRig&) = delete;
  StdioRig& operator=(const StdioRig&) = delete;

  router::Connector& connector() { return *connector_; }
  void AnswerWith(std::string text) { Control("text", std::move(text)); }
  void FailByItself(std::string text) { Control("error", std::move(text)); }
  void BreakDown() { Control("ends", ""); }
  void Stall() { Control("stalls", ""); }
  void GoAway() { std::filesystem::remove(folder_.File("server")); }
  Arrivals Arrived() {
    Arrivals arrivals;
    std::ifstream file(folder_.File("record"));
    for (std::string line; std::getline(file, line);) {
      const auto call = router::ParseJson(line).value;
      const router::Json* arguments = call ? call->Find("arguments") : nullptr;
      if (arguments != nullptr) arrivals.emplace_back(arguments->Dump(), call->TextAt("key"));
    }
    return arrivals;
  }
  bool WaitForArrivals(std::size_t count) {
    return Eventually([&] { return Arrived().size() >= count; });
  }

 private:
  void Control(const std::string& mode, std::string text) {
    std::ofstream(folder_.File("control"))
        << router::Json::MakeObject({{"mode", mode}, {"text", std::move(text)}}).Dump();
  }

  TemporaryFolder folder_;
  RecordingLog log_;
  bot::SystemClock clock_;
  connectors::PipeLoop pipes_;
  std::unique_ptr<connectors::McpConnector> connector_;
  connectors::CurlEnvironment curl_;
  connectors::CurlLoop loop_{curl_};  // ends first: its callbacks use the connector
};

using Rigs = testing::Types<McpRig<false>, McpRig<true>, StdioRig, HttpToolRig>;
INSTANTIATE_TYPED_TEST_SUITE_P(Real, ConnectorContract, Rigs);

}  // namespace
}  // namespace writ::tests
