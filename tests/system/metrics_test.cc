// What /metrics tells of a story, and what it never tells.
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

// The value of the line that begins so; "" where there is none.
std::string Figure(const std::string& text, const std::string& line) {
  const auto at = ("\n" + text).find("\n" + line + " ");
  if (at == std::string::npos) return "";
  const auto begin = at + line.size() + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string Metrics(const World& world) {
  return world.api().Get(world.Anonymous(), "/metrics").body;
}

// As soon as that line has that value: what was committed is counted a moment later.
std::string MetricsWith(const World& world, const std::string& line, const std::string& value) {
  std::string text;
  EXPECT_TRUE(Eventually([&] {
    text = Metrics(world);
    return Figure(text, line) == value;
  })) << line
      << " is " << Figure(text, line);
  return text;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The figures that a text speaks of; of a histogram's series, the histogram.
std::set<std::string> NamesIn(const std::string& text) {
  static const std::regex kName("writ_[a-z_]+");
  std::set<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), kName), end; at != end; ++at) {
    std::string name = at->str();
    for (const std::string part : {"_bucket", "_count", "_sum"}) {
      if (name.ends_with(part)) name.resize(name.size() - part.size());
    }
    names.insert(std::move(name));
  }
  return names;
}

TEST(Metrics, CountWhatWasHeldDecidedAndSentOnceEach) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  (void)MetricsWith(world, R"(writ_approvals_asked_total{app="acme"})", "1");
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).status, 403);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 404);
  world.WaitForEnds(1);

  const std::string text = MetricsWith(
      world, R"(writ_turn_seconds_count{agent="helper",app="acme",state="completed"})", "1");
  EXPECT_EQ(Figure(text, R"(writ_events_total{app="acme",outcome="stored"})"), "1");
  EXPECT_EQ(
      Figure(text, R"(writ_approval_wait_seconds_count{app="acme",by="user",decision="approved"})"),
      "1");
  EXPECT_EQ(Figure(text, R"(writ_calls_total{app="acme",connector="crm",outcome="done"})"), "1");
  EXPECT_EQ(
      Figure(text, R"(writ_model_seconds_count{agent="helper",app="acme",outcome="replied"})"),
      "2");
  EXPECT_EQ(
      Figure(text,
             R"(writ_connector_seconds_count{app="acme",connector="crm",outcome="answered"})"),
      "1");
  const std::string answers = R"(writ_http_request_seconds_count{method="POST",)"
                              R"(route="/v1/agents/conversations/{cid}/tool_approvals",status=")";
  EXPECT_EQ(Figure(text, answers + "204\"}"), "1");
  EXPECT_EQ(Figure(text, answers + "403\"}"), "1");
  EXPECT_EQ(Figure(text, R"(writ_calls_held_total{app="acme",connector="crm"})"), "1");
  EXPECT_EQ(Figure(text, R"(writ_lease_wait_seconds_count{agent="helper",app="acme"})"), "1");
  const std::string commits = Figure(text, R"(writ_store_commit_seconds_count{outcome="done"})");
  EXPECT_GE(std::stoi(commits), 8);
  EXPECT_GE(std::stoi(Figure(text, "writ_store_batch_commits_count")), 8);
  EXPECT_GT(std::stod(Figure(text, "writ_store_bytes")), 0);
  EXPECT_EQ(Figure(text, "writ_events_in_line"), "0");
  EXPECT_EQ(Figure(text, "writ_events_to_open"), "0");
  EXPECT_EQ(Figure(text, "writ_store_answers"), "1");
  EXPECT_EQ(Figure(text, "writ_calls_out"), "0");
  EXPECT_EQ(Figure(text, "writ_requests_waiting"), "0");
  EXPECT_EQ(Figure(text, "writ_answers_waiting"), "0");
  EXPECT_EQ(Figure(text, "writ_streams_open"), "0");
  EXPECT_EQ(Figure(text, "writ_http_connections_limit"), "10000");
  EXPECT_EQ(Figure(text, "writ_store_bytes_limit"), "0") << "there is none";
}

TEST(Metrics, TellOfTurnsThatEndWithoutAReply) {
  World world;
  const std::string message = world.Say("anya-1", kAsk);
  world.WaitForHeld();
  world.chat().Delete(message, "anya-1");
  world.WaitForEnds(1);
  const std::string text = MetricsWith(
      world, R"(writ_turn_seconds_count{agent="helper",app="acme",state="cancelled"})", "1");
  EXPECT_EQ(Figure(text, R"(writ_calls_total{app="acme",connector="crm",outcome="cancelled"})"),
            "1");
}

TEST(Metrics, TellOfWhatOthersBroughtAboutInATurn) {
  World world({.agent = Limits({{"channel_wait_s", 0.1}})});
  world.Say("anya-1", kAsk);
  world.WaitForHeld();
  world.Say("ben-2", "hello");  // the lease passes on to it
  world.WaitForReply("hello");
  (void)MetricsWith(world, R"(writ_leases_passed_on_total{app="acme"})", "1");
  EXPECT_EQ(world.api().Post(world.Backend(), "/v1/users/anya-1/forget", {}).status, 200);
  (void)MetricsWith(world,
                    R"(writ_turn_seconds_count{agent="helper",app="acme",state="cancelled"})", "1");
}

TEST(Metrics, NameNoPersonNoChannelAndNoArgument) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForEnds(1);
  const std::string text = Metrics(world);
  for (const std::string word : {"anya-1", "Anya", "team-1", "shift 42", "cmd_", "call_", "apr_"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

TEST(Metrics, AnAddressOfTheirOwnTakesThemFromTheApi) {
  World world({.config = [](router::Json& config) {
    config.Set("metrics", router::Json::MakeObject({{"listen", "127.0.0.1:0"}}));
  }});
  EXPECT_EQ(world.api().Get(world.Anonymous(), "/metrics").status, 404);
  // The port that was picked is in the log alone.
  const std::string mark = R"("event":"metrics.listening")";
  ASSERT_TRUE(Eventually([&] { return world.Log().find(mark) != std::string::npos; }));
  const std::string log = world.Log();
  const auto at = log.find(R"("port":")", log.find(mark)) + 8;
  const int port = std::stoi(log.substr(at));
  EXPECT_NE(ApiClient(port).Get(world.Anonymous(), "/metrics").body.find("writ_store_answers"),
            std::string::npos);
  EXPECT_EQ(ApiClient(port).Get(world.Anonymous(), "/v1/approvals").status, 404);
}

TEST(Metrics, AreTheOnesThatTheDocumentTheDashboardAndTheAlertsName) {
  World world;
  world.Say("anya-1", kLookup);
  world.WaitForEnds(1);
  const std::string document = ReadFile("docs/metrics.md");
  const std::set<std::string> counted = NamesIn(Metrics(world));
  EXPECT_GT(counted.size(), 10U);
  for (const std::string& name : counted) {
    EXPECT_NE(document.find('`' + name + '`'), std::string::npos) << name;
  }
  for (const std::string& name : NamesIn(document)) EXPECT_TRUE(counted.contains(name)) << name;
  const std::set<std::string> shown = NamesIn(ReadFile("config/grafana.json"));
  for (const std::string& name : counted) {
    EXPECT_TRUE(shown.contains(name)) << name << " is not on the dashboard";
  }
  for (const std::string file : {"config/grafana.json", "config/alerts.yml"}) {
    const std::set<std::string> names = NamesIn(ReadFile(file));
    EXPECT_GT(names.size(), 4U) << file;
    for (const std::string& name : names) {
      EXPECT_NE(document.find('`' + name + '`'), std::string::npos) << file << ": " << name;
      EXPECT_TRUE(counted.contains(name)) << file << ": " << name;
    }
  }
}

}  // namespace
}  // namespace writ::tests
