// The main path with parts that we did not write: the protocol's reference MCP server as the CRM,
// and a model server for both wire formats, from npm (tests/node).
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

const std::string kModules = "tests/node/node_modules/";

// A port that was free a moment ago: the MCP server can't say which one it was given.
int FreePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  auto* const generic = static_cast<sockaddr*>(static_cast<void*>(&address));
  EXPECT_EQ(::bind(fd, generic, length), 0);
  EXPECT_EQ(::getsockname(fd, generic, &length), 0);
  ::close(fd);
  return ntohs(address.sin_port);
}

std::string TextOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

constexpr const char* kFixtures = R"({"fixtures": [
  {"match": {"userMessage": "check the crm", "hasToolResult": false, "toolName": "crm__echo"},
   "response": {"content": "Let me look.", "toolCalls": [
     {"id": "call_echo_1", "name": "crm__echo", "arguments": {"message": "shift 42"}}]}},
  {"match": {"userMessage": "check the crm", "toolResultContains": "declined"},
   "response": {"content": "The lookup was not approved, so I did not check."}},
  {"match": {"userMessage": "check the crm", "hasToolResult": true},
   "response": {"content": "The CRM says: shift 42."}}]})";

}  // namespace

class RealParts : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kModules + ".bin/node")) {
      GTEST_SKIP() << "tests/node is not installed (./dev test does it)";
    }
    crm_ = std::make_unique<Program>(
        std::vector<std::string>{kModules + ".bin/node",
                                 kModules + "@modelcontextprotocol/server-everything/dist/index.js",
                                 "streamableHttp"},
        Program::Environment{{"PORT", std::to_string(crm_port_)}}, folder_.File("crm.log"));
    std::ofstream(folder_.File("fixtures.json")) << kFixtures;
    model_ = std::make_unique<Program>(
        std::vector<std::string>{kModules + ".bin/node", kModules + ".bin/llmock", "-p",
                                 std::to_string(model_port_), "-f", folder_.File("fixtures.json"),
                                 "--strict"},
        Program::Environment{}, folder_.File("model.log"));
    ASSERT_TRUE(Eventually([&] {
      return TextOf(folder_.File("crm.log")).find("listening on port") != std::string::npos;
    }));
    ASSERT_TRUE(
        Eventually([&] { return Send(model_port_, "GET", "/health", {}, "").status == 200; }));
  }

  [[nodiscard]] WorldOptions Options() const {
    WorldOptions options;
    options.crm = [this](Json& crm) {
      crm.Set("url", "http://127.0.0.1:" + std::to_string(crm_port_) + "/mcp");
      Json held = Json::MakeArray();
      held.Push("echo");
      crm.Set("require_approval", std::move(held));
    };
    options.agent = [this](Json& agent) {
      std::string url = "http://127.0.0.1:" + std::to_string(model_port_);
      if (GetParam() == "openai") url += "/v1";
      agent.Set("model",
                Json::MakeObject(
                    {{"kind", GetParam()}, {"name", "m"}, {"api_key", "test"}, {"base_url", url}}));
    };
    return options;
  }

 private:
  TemporaryFolder folder_;
  int crm_port_ = FreePort();
  int model_port_ = FreePort();
  std::unique_ptr<Program> crm_;
  std::unique_ptr<Program> model_;
};

TEST_P(RealParts, EchoIsHeldThenRunAndTheReplyFollows) {
  World world(Options());
  world.Say("anya-1", "please check the crm");
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.step.TextAt("name"), "crm__echo");
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  const Json reply = world.WaitForReply("The CRM says: shift 42.");
  EXPECT_EQ(StateOf(reply), "completed");
  EXPECT_EQ(world.StepOf(held).TextAt("outcome"), "done");
}

TEST_P(RealParts, ADeclinedEchoIsToldToTheModel) {
  World world(Options());
  world.Say("anya-1", "please check the crm");
  EXPECT_EQ(world.Answer(world.As("anya-1"), world.WaitForHeld(), false).status, 204);
  world.WaitForReply("The lookup was not approved");
}

INSTANTIATE_TEST_SUITE_P(BothWireFormats, RealParts, testing::Values("openai", "anthropic"),
                         [](const auto& kind) { return kind.param; });

}  // namespace writ::tests
