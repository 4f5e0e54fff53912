// `writ demo`: the story in the terminal, and the page with its endpoints.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "router/base/json.h"
#include "tests/support/raw_client.h"
#include "tests/support/stage/api_client.h"
#include "tests/support/stage/eventually.h"
#include "tests/support/stage/program.h"
#include "tests/support/temporary_folder.h"

namespace writ::tests {
namespace {

using router::Json;

const ApiHeaders kJson{{"Content-Type", "application/json"}};

class DemoTest : public testing::Test {
 protected:
  DemoTest() { std::filesystem::create_directory(folder_.File("tmp")); }

  // The demo's temporary folder stands in ours, so that one sees it go.
  std::unique_ptr<Program> Start(const std::vector<std::string>& more = {}) {
    std::vector<std::string> command{PathOfWrit(), "demo", "--listen", "127.0.0.1:0"};
    command.insert(command.end(), more.begin(), more.end());
    return std::make_unique<Program>(std::move(command),
                                     Program::Environment{{"TMPDIR", folder_.File("tmp")}},
                                     folder_.File("log"));
  }
  [[nodiscard]] bool LeftNothing() const { return std::filesystem::is_empty(folder_.File("tmp")); }

  TemporaryFolder folder_;
};

// What a browser does at the page's server.
class Browser {
 public:
  explicit Browser(int port) : port_(port) {}

  [[nodiscard]] ApiReply Get(const std::string& target) const {
    return Send(port_, "GET", target, {}, "");
  }
  // By whatever name of this machine.
  [[nodiscard]] ApiReply AskedAs(const std::string& host, const std::string& method,
                                 const std::string& target) const {
    RawClient client(port_);
    client.Send(method + " " + target + " HTTP/1.1\r\nHost: " + host +
                "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    const auto answer = client.Receive(true, std::chrono::seconds(60));
    return answer ? ApiReply{answer->status, answer->body, answer->head} : ApiReply{};
  }
  [[nodiscard]] Json State() const { return Get("/demo/state").json(); }
  [[nodiscard]] ApiReply Say(const std::string& user, const std::string& text) const {
    return Send(port_, "POST", "/demo/say", kJson,
                Json::MakeObject({{"user", user}, {"text", text}}).Dump());
  }
  // The steps of the newest message that has some.
  [[nodiscard]] Json::Array Steps() const {
    Json::Array steps;
    const Json state = State();
    const Json* messages = state.Find("messages");
    if (messages == nullptr) return steps;
    for (const Json& message : messages->array()) {
      const Json* of_message = message.Find("steps");
      if (of_message->IsArray() && !of_message->array().empty()) steps = of_message->array();
    }
    return steps;
  }
  [[nodiscard]] bool WaitForSteps(const std::string& status, std::size_t count) const {
    return Eventually([&] {
      std::size_t found = 0;
      for (const Json& step : Steps()) found += step.TextAt("status") == status ? 1U : 0U;
      return found == count;
    });
  }
  [[nodiscard]] bool WaitForText(const std::string& text) const {
    return Eventually([&] { return Get("/demo/state").body.find(text) != std::string::npos; });
  }
  [[nodiscard]] std::string Answer(const std::string& user, const Json& step, bool allowed,
                                   const std::string& reason = "") const {
    const Json state = State();
    ApiHeaders headers = kJson;
    headers.emplace_back("X-Api-Key", state.TextAt("api_key"));
    for (const Json& person : state.Find("people")->array()) {
      if (person.TextAt("id") == user) {
        headers.emplace_back("Authorization", person.TextAt("token"));
      }
    }
    Json body = Json::MakeObject({{"tool_call_id", step.TextAt("id")},
                                  {"request_id", step.TextAt("request_id")},
                                  {"allowed", allowed}});
    if (!reason.empty()) body.Set("summary", reason);
    return Send(port_, "POST", state.TextAt("answers"), headers, body.Dump()).text();
  }
  [[nodiscard]] std::int64_t Ran(const std::string& tool) const {
    return State().Find("crm")->Find("counts")->IntAt(tool).value_or(-1);
  }

 private:
  int port_;
};

TEST_F(DemoTest, PlaysAnyasStoryInTheTerminal) {
  const auto demo = Start({"--play"});
  EXPECT_EQ(demo->WaitForEnd(), 0);
  std::size_t at = 0;
  for (const char* line : {"Anya  writes in callouts:desk", "Please refund order 42, 450.",
                           "Writ  holds crm__refund and asks Anya", "CRM  was not called",
                           "Ben  tries to allow it: 403 asked_of_another", "Anya  allows it: 204",
                           R"(CRM  runs refund {"amount":450,"order_id":"42"})", "Helper  replies",
                           "Refunded 450 € of order 42.", "CRM  was called once"}) {
    const std::size_t found = demo->output().find(line, at);
    ASSERT_NE(found, std::string::npos) << line << "\nin\n" << demo->output();
    at = found;
  }
  EXPECT_TRUE(LeftNothing());
}

TEST_F(DemoTest, TheStoryCanBePlayedOnThePage) {
  const auto demo = Start();
  ASSERT_TRUE(demo->WaitUntilItListens());
  const Browser browser(demo->port());

  EXPECT_EQ(browser.Say("anya-1", "Please refund order 42, 450.").status, 201);
  ASSERT_TRUE(browser.WaitForSteps("awaiting_approval", 1));
  const Json step = browser.Steps().at(0);
  EXPECT_EQ(step.TextAt("target_user_id"), "anya-1");
  EXPECT_EQ(browser.Answer("ben-2", step, true), "403 asked_of_another");
  EXPECT_EQ(browser.Answer("nobody", step, true), "401 bad_token");
  EXPECT_EQ(browser.Ran("refund"), 0);
  EXPECT_EQ(browser.Answer("anya-1", step, true), "204");
  ASSERT_TRUE(browser.WaitForText("\"text\":\"Refunded 450 € of order 42.\""));
  EXPECT_EQ(browser.Ran("refund"), 1);
  EXPECT_EQ(browser.Answer("anya-1", step, true), "404 no_session");

  EXPECT_EQ(demo->Terminate(), 0);
  EXPECT_TRUE(LeftNothing());
}

TEST_F(DemoTest, TypingFreelyMakesSense) {
  const auto demo = Start();
  ASSERT_TRUE(demo->WaitUntilItListens());
  const Browser browser(demo->port());

  EXPECT_EQ(browser.Say("ben-2", "hello").status, 201);
  ASSERT_TRUE(browser.WaitForText("I am a script"));
  EXPECT_EQ(browser.Say("ben-2", "Where is order 43?").status, 201);
  ASSERT_TRUE(browser.WaitForText("\"text\":\"Order 43 is two office chairs for 240 €, paid.\""));
  EXPECT_EQ(browser.Ran("lookup"), 1);

  EXPECT_EQ(browser.Say("ben-2", "Refund order 43, 100 and order 44, 80").status, 201);
  ASSERT_TRUE(browser.WaitForSteps("awaiting_approval", 2));
  const Json::Array held = browser.Steps();
  EXPECT_EQ(browser.Answer("ben-2", held.at(0), true), "204");
  EXPECT_EQ(browser.Answer("ben-2", held.at(1), false, "The lamp stays."), "204");
  ASSERT_TRUE(browser.WaitForText("What you declined was not sent"));
  EXPECT_TRUE(browser.WaitForText("Declined: The lamp stays."));
  EXPECT_EQ(browser.Ran("refund"), 1);

  EXPECT_EQ(demo->Terminate(), 0);
}

TEST_F(DemoTest, ThePageRunsNothingButItsOwnFiles) {
  const auto demo = Start();
  ASSERT_TRUE(demo->WaitUntilItListens());
  const Browser browser(demo->port());

  std::size_t bytes = 0;
  for (const char* path : {"/", "/demo/demo.css", "/demo/main.js", "/demo/chat.js", "/demo/crm.js",
                           "/demo/happenings.js", "/demo/scenes.js", "/pages/style.css"}) {
    const ApiReply file = browser.Get(path);
    ASSERT_EQ(file.status, 200) << path;
    EXPECT_NE(file.head.find("default-src 'none'; script-src 'self'"), std::string::npos);
    for (const char* inlined : {"<style", " style=", "<script>", "innerHTML"}) {
      EXPECT_EQ(file.body.find(inlined), std::string::npos) << path << " has " << inlined;
    }
    bytes += file.body.size();
  }
  EXPECT_LT(bytes, 40U * 1024);  // with the inbox's 110 KB at most all of them are within 150
  EXPECT_EQ(browser.Get("/nothing").text(), "404 not_found");

  // A page from elsewhere whose name leads to this machine learns and presses nothing.
  for (const char* path : {"/demo/state", "/", "/pages/dom.js", "/demo/nothing"}) {
    EXPECT_EQ(browser.AskedAs("evil.example", "GET", path).text(), "403 forbidden") << path;
  }
  EXPECT_EQ(browser.AskedAs("evil.example", "POST", "/demo/do").text(), "403 forbidden");
  EXPECT_EQ(browser.AskedAs("localhost:80", "GET", "/demo/state").status, 200);

  EXPECT_EQ(browser.Say("helper-bot", "hi").text(), "422 invalid_request");
  EXPECT_EQ(browser.Say("anya-1", " ").text(), "422 invalid_request");
  EXPECT_EQ(Send(demo->port(), "POST", "/demo/do", kJson, R"({"what":"explode"})").text(),
            "422 invalid_request");
  EXPECT_EQ(Send(demo->port(), "POST", "/demo/say", {{"Content-Type", "text/plain"}}, "{}").status,
            415);
  EXPECT_EQ(demo->Terminate(), 0);
}

TEST_F(DemoTest, ItsNodeCanBeKilledAndEndsWithIt) {
  const auto demo = Start();
  ASSERT_TRUE(demo->WaitUntilItListens());
  const Browser browser(demo->port());
  const auto node = [&] { return *browser.State().Find("node"); };
  const auto press = [&](const char* what) {
    return Send(demo->port(), "POST", "/demo/do", kJson, Json::MakeObject({{"what", what}}).Dump())
        .status;
  };

  EXPECT_EQ(browser.Say("anya-1", "Please refund order 42, 450.").status, 201);
  ASSERT_TRUE(browser.WaitForSteps("awaiting_approval", 1));
  const Json step = browser.Steps().at(0);
  const auto first = static_cast<pid_t>(node().IntAt("pid").value_or(0));
  EXPECT_EQ(::kill(first, 0), 0);
  // Who has left can't write, and is told so.
  EXPECT_EQ(press("leave"), 204);
  EXPECT_EQ(browser.Say("anya-1", "Am I here?").text(), "403 forbidden");
  EXPECT_EQ(press("return"), 204);
  EXPECT_FALSE(node().BoolAt("killed").value_or(true));
  EXPECT_EQ(press("kill"), 204);
  EXPECT_TRUE(node().BoolAt("killed").value_or(false));
  EXPECT_NE(::kill(first, 0), 0);
  EXPECT_EQ(browser.Answer("anya-1", step, true), "503 overloaded");
  EXPECT_EQ(press("start"), 204);
  EXPECT_EQ(browser.Answer("anya-1", step, true), "204");
  ASSERT_TRUE(browser.WaitForText("\"text\":\"Refunded 450 € of order 42.\""));
  EXPECT_EQ(browser.Ran("refund"), 1);

  const auto second = static_cast<pid_t>(node().IntAt("pid").value_or(0));
  EXPECT_NE(first, second);
  demo->Kill();  // whatever becomes of the demo, its node does not stay behind
  EXPECT_TRUE(Eventually([&] { return ::kill(second, 0) != 0; }));
}

TEST_F(DemoTest, WhatItCannotListenOnIsSaid) {
  const auto first = Start();
  ASSERT_TRUE(first->WaitUntilItListens());
  Program second({PathOfWrit(), "demo", "--listen", "127.0.0.1:" + std::to_string(first->port())},
                 {}, folder_.File("log"));
  EXPECT_EQ(second.WaitForEnd(), 1);
  Program third({PathOfWrit(), "demo", "--listen", "8080"}, {}, folder_.File("log"));
  EXPECT_EQ(third.WaitForEnd(), 2);
  first->Signal(SIGINT);
  EXPECT_EQ(first->WaitForEnd(), 0);
}

}  // namespace
}  // namespace writ::tests
