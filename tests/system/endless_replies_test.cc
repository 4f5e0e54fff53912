// Connectors and models whose answers have no end, no beginning, or no sense of size: each costs
// its own call or turn what its limits say, and nothing else.
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/raw_server.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

using Kind = RawStep::Kind;
using Steps = RawServer::Steps;
using std::chrono::milliseconds;

constexpr std::size_t kMega = std::size_t{1} << 20;
const std::string kSecond = "a short one";

std::string Times(std::size_t count, std::string_view piece) {
  std::string text;
  text.reserve(count * piece.size());
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

std::string Head(const std::string& type, const std::string& more = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n" + more + "\r\n";
}

Steps Endless(std::string begin, std::string piece, milliseconds every = {}) {
  return {{Kind::kSend, std::move(begin)}, {Kind::kRepeat, std::move(piece), every}};
}

struct Endlessness {
  std::string name;
  Steps steps;
};

// What has no end before a reply's body, or after it, whoever speaks.
std::vector<Endlessness> OutsideOfTheBody() {
  const std::string chunked = Head("application/json", "Transfer-Encoding: chunked\r\n");
  const std::string line = "X-More: and more\r\n";
  return {
      {"heads", Endless("HTTP/1.1 200 OK\r\n", Times(1000, line))},
      {"interim", Endless("", Times(1000, "HTTP/1.1 100 Continue\r\n" + line + "\r\n"))},
      {"one_line", Endless("HTTP/1.1 200 OK\r\nX-More: ", Times(10000, "x"))},
      {"trailers", Endless(chunked + "2\r\n{}\r\n0\r\n", Times(1000, line))},
  };
}

// What comes so slowly, or says so little, that only time ends it.
std::vector<Endlessness> EndedByTime() {
  return {
      {"silent", {{Kind::kHold}}},
      {"slow", Endless(Head("application/json"), " ", milliseconds(500))},
      {"slow_head", Endless("HTTP/1.1 200 OK\r\n", "X-More: x\r\n", milliseconds(500))},
      {"promised",
       {{Kind::kSend, Head("application/json", "Content-Length: 9000000000\r\n") + "{"},
        {Kind::kHold}}},
      {"extension", Endless(Head("application/json", "Transfer-Encoding: chunked\r\n") + "2;",
                            Times(10000, "x"))},
      {"events", Endless(Head("text/event-stream"), ": still here\n\n", milliseconds(100))},
  };
}

const std::string kTooLarge = "the answer was larger than allowed";
const std::string kTooLate = "no whole answer came in time";
const std::string kBroken = "the connection broke before the answer was there";

Json ToolsNamed(const std::vector<std::string>& names, const std::string& schema_key) {
  Json tools = Json::MakeArray();
  for (const std::string& name : names) {
    tools.Push(Json::MakeObject({{"name", name},
                                 {"description", name},
                                 {schema_key, Json::MakeObject({{"type", "object"}})}}));
  }
  return tools;
}

std::vector<std::string> NamesOf(const std::vector<Endlessness>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Endlessness& one : all) names.push_back(one.name);
  return names;
}

const Steps& StepsOf(const std::vector<Endlessness>& all, std::string_view name) {
  static const Steps kNone = {{Kind::kClose}};
  for (const Endlessness& one : all) {
    if (one.name == name) return one.steps;
  }
  return kNone;
}

// Endpoints, each a tool with its own end.
RawServer::Script Endpoints(std::vector<Endlessness> all) {
  return [all = std::move(all)](const RawRequest& request) -> Steps {
    const auto begin = request.head.find('/') + 1;
    return StepsOf(all, request.head.substr(begin, request.head.find(' ', begin) - begin));
  };
}

// An MCP server that is in order but for what its tools answer.
RawServer::Script McpServer(std::vector<Endlessness> all) {
  return [all = std::move(all)](const RawRequest& request) -> Steps {
    const auto message = router::ParseJson(request.body).value.value_or(Json());
    const std::string method = message.TextAt("method");
    Json result = Json::MakeObject();
    if (method == "tools/call") return StepsOf(all, message.Find("params")->TextAt("name"));
    if (method == "tools/list") result.Set("tools", ToolsNamed(NamesOf(all), "inputSchema"));
    if (method == "initialize") {
      result = Json::MakeObject(
          {{"protocolVersion", "2025-11-25"},
           {"capabilities", Json::MakeObject({{"tools", Json::MakeObject()}})},
           {"serverInfo", Json::MakeObject({{"name", "endless"}, {"version", "1"}})}});
    }
    const Json* id = message.Find("id");
    if (id == nullptr) return {{Kind::kSend, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"}};
    const Json answer =
        Json::MakeObject({{"jsonrpc", "2.0"}, {"id", *id}, {"result", std::move(result)}});
    return {{Kind::kSend, Ok(answer.Dump(), "Content-Type: application/json\r\n")}};
  };
}

Json HttpConnector(const std::string& id, const RawServer& server, int timeout,
                   const std::vector<Endlessness>& all) {
  Json tools = ToolsNamed(NamesOf(all), "input_schema");
  for (Json& tool : tools.array()) {
    tool.Set("method", "POST");
    tool.Set("path", "/" + tool.TextAt("name"));
  }
  return Json::MakeObject({{"id", id},
                           {"kind", "http"},
                           {"base_url", server.Url("")},
                           {"timeout_s", timeout},
                           {"tools", std::move(tools)}});
}

Json McpConnector(const std::string& id, const RawServer& server, int timeout) {
  return Json::MakeObject({{"id", id},
                           {"kind", "mcp"},
                           {"url", server.Url("/mcp")},
                           {"era", "2025-11-25"},
                           {"timeout_s", timeout}});
}

struct Expected {
  std::string outcome;
  std::string told;  // to the model
};

// Each tool is called in a channel of its own, all at once; what came of each.
void ExpectEach(World& world, const std::string& connector, const std::vector<std::string>& tools,
                const std::function<Expected(const std::string&)>& expected) {
  const std::string begin = "callouts:" + connector + "-";
  const auto place = [&](const std::string& tool) { return begin + tool; };
  const std::string prefix = "!" + connector + "__";
  for (const std::string& tool : tools) {
    world.AddChannel(place(tool));
    std::string call = prefix;
    world.Say("anya-1", call.append(tool).append(R"( {"word":"hush"})"), place(tool));
  }
  for (const std::string& tool : tools) {
    const std::string name = connector + "__" + tool;
    const Json message = world.WaitForEnds(1, place(tool));
    EXPECT_EQ(StateOf(message), "completed") << name;
    EXPECT_EQ(message.TextAt("text"), kSecond) << name;
    ASSERT_EQ(tests::StepsOf(message).size(), 1U) << name;
    EXPECT_EQ(tests::StepsOf(message)[0].TextAt("outcome"), expected(tool).outcome) << name;
    const auto told = ToldAbout(world, "!" + name + " ");
    ASSERT_EQ(told.size(), 1U) << name;
    EXPECT_NE(told[0].find(expected(tool).told), std::string::npos)
        << name << ": " << told[0].substr(0, 300);
    EXPECT_EQ(told[0].find("hush"), std::string::npos) << name;
    EXPECT_LT(told[0].size(), std::size_t{201'000}) << name;
  }
}

// A model that repeats no megabytes.
StubModel::Reply InShort(const StubModel::Asked& asked) {
  if (asked.rounds == 0) return StubModel::ByDefault(asked);
  StubModel::Reply reply;
  reply.text = kSecond;
  return reply;
}

// The most memory that the program ever had, in MB.
std::size_t MostMemory(World& world) {
  std::ifstream status("/proc/" + std::to_string(world.program().pid()) + "/status");
  for (std::string word; status >> word;) {
    std::size_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

}  // namespace

TEST(EndlessReplies, OfAToolEndByTheirSizeOrTheirTimeAndTheTurnGoesOn) {
  const std::string plain = Head("text/plain");
  std::vector<Endlessness> large = OutsideOfTheBody();
  large.push_back({"fast", Endless(plain, std::string(kMega / 4, 'x'))});
  large.push_back({"gigabytes", Endless(Head("text/plain", "Content-Length: 9000000000\r\n"),
                                        std::string(kMega / 4, 'x'))});
  large.push_back({"nine", {{Kind::kSend, Ok(std::string(9 * kMega, 'x'))}}});
  large.push_back({"sorry", Endless("HTTP/1.1 400 Bad Request\r\n\r\n", std::string(9999, 'x'))});

  const std::string events = Head("text/event-stream");
  std::vector<Endlessness> large_mcp = OutsideOfTheBody();
  const std::string json = Head("application/json");
  large_mcp.push_back({"fast", Endless(json + R"({"a":")", std::string(kMega / 4, 'x'))});
  large_mcp.push_back({"levels", {{Kind::kSend, Ok(std::string(kMega, '['))}}});
  large_mcp.push_back({"event", Endless(events + "data: ", std::string(kMega / 4, 'x'))});
  large_mcp.push_back(
      {"comments", Endless(events, Times(100, ":" + std::string(9999, 'x') + "\n"))});

  const std::vector<Endlessness> late = EndedByTime();
  std::vector<Endlessness> late_mcp = late;
  late_mcp.push_back({"notes", Endless(events,
                                       "data: {\"jsonrpc\":\"2.0\",\"method\":"
                                       "\"notifications/message\",\"params\":{}}\n\n",
                                       milliseconds(100))});
  RawServer endpoints(Endpoints(large));
  RawServer late_endpoints(Endpoints(late));
  RawServer mcp(McpServer(large_mcp));
  RawServer late_mcp_server(McpServer(late_mcp));
  World world({.agent = [&](Json& agent) {
    Json* connectors = agent.Find("connectors");
    connectors->Push(HttpConnector("large", endpoints, 60, large));
    connectors->Push(HttpConnector("late", late_endpoints, 8, late));
    connectors->Push(McpConnector("large_mcp", mcp, 60));
    connectors->Push(McpConnector("late_mcp", late_mcp_server, 8));
  }});
  world.model().When("!late", InShort);
  world.model().When("!large", InShort);

  ExpectEach(world, "late", NamesOf(late), [](const std::string&) {
    return Expected{"outcome_unknown", kTooLate};
  });
  ExpectEach(world, "late_mcp", NamesOf(late_mcp), [](const std::string&) {
    return Expected{"outcome_unknown", kTooLate};
  });
  ExpectEach(world, "large", NamesOf(large), [](const std::string& tool) {
    if (tool == "sorry") return Expected{"failed", "\n[cut]"};
    if (tool == "one_line") return Expected{"outcome_unknown", kBroken};
    const bool in_body = tool == "fast" || tool == "gigabytes" || tool == "nine";
    return in_body ? Expected{"done", "[the answer was longer still]"}
                   : Expected{"outcome_unknown", kTooLarge};
  });
  for (const std::string& tool : NamesOf(large_mcp)) {  // each is work enough
    ExpectEach(world, "large_mcp", {tool}, [](const std::string&) {
      return Expected{"outcome_unknown", kBroken};
    });
  }

  world.Say("anya-1", "hello");
  world.WaitForReply("You said: ");
  EXPECT_LT(MostMemory(world), 1500U) << "a sanitizer keeps what was given back for a while";
}

TEST(EndlessReplies, OfAServersListCostItsToolsAndNothingElse) {
  RawServer silent([](const RawRequest&) -> Steps { return {{Kind::kHold}}; });
  RawServer endless([](const RawRequest&) {
    return Endless(Head("application/json") + R"({"a":")", std::string(kMega / 4, 'x'));
  });
  World world({.agent = [&](Json& agent) {
    agent.Find("connectors")->Push(McpConnector("silent", silent, 2));
    agent.Find("connectors")->Push(McpConnector("endless", endless, 2));
  }});
  world.Say("anya-1", kLookup);
  EXPECT_EQ(StepsOf(world.WaitForEnds(1)).at(0).TextAt("outcome"), "done");
}

class EndlessModels : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(EachWay, EndlessModels, testing::Bool(), [](const auto& way) {
  return std::string(way.param ? "Streamed" : "Whole");
});

TEST_P(EndlessModels, FailTheirTurnAndSaySo) {
  std::vector<Endlessness> all = OutsideOfTheBody();
  for (Endlessness& one : EndedByTime()) all.push_back(std::move(one));
  const std::string json = Head("application/json");
  const std::string events = Head("text/event-stream");
  const auto delta = [](const std::string& words) {
    return R"(data: {"choices":[{"delta":{"content":")" + words + "\"}}]}\n\n";
  };
  all.push_back({"fast", Endless(json + R"({"a":")", std::string(kMega / 4, 'x'))});
  all.push_back({"text", Endless(json, std::string(kMega / 4, 'x'))});
  all.push_back({"event", Endless(events + "data: ", std::string(kMega / 4, 'x'))});
  all.push_back({"words", Endless(events, Times(20, delta(std::string(9999, 'x'))))});
  all.push_back({"letters", Endless(events, Times(10, delta("x")), milliseconds(50))});
  all.push_back({"slow_words", Endless(events, delta("x"), milliseconds(500))});
  RawServer model([all](const RawRequest& request) -> Steps {
    for (const Endlessness& one : all) {
      if (request.body.find("do " + one.name + " now") != std::string::npos) return one.steps;
    }
    return {{Kind::kSend, Ok(R"({"choices":[{"message":{"role":"assistant","content":"I am back"},)"
                             R"("finish_reason":"stop"}]})")}};
  });
  World world({.agent = [&](Json& agent) {
    Json* options = agent.Find("model");
    options->Set("base_url", model.Url("/v1"));
    options->Set("timeout_s", 6);
    options->Set("retries", 0);
    options->Set("stream", GetParam());
  }});
  for (const Endlessness& one : all) {
    world.AddChannel("callouts:" + one.name);
    world.Say("anya-1", "do " + one.name + " now", "callouts:" + one.name);
  }
  for (const Endlessness& one : all) {
    const Json message = world.WaitForEnds(1, "callouts:" + one.name);
    EXPECT_EQ(StateOf(message), "failed") << one.name;
    EXPECT_FALSE(message.TextAt("text").empty()) << one.name;
    EXPECT_LT(message.TextAt("text").size(), 1000U) << one.name;
  }
  EXPECT_EQ(model.requests().size(), all.size()) << "none is asked again";
  world.Say("anya-1", "hello");
  world.WaitForReply("I am back");
  EXPECT_LT(MostMemory(world), 1500U) << "a sanitizer keeps what was given back for a while";
}

}  // namespace writ::tests
