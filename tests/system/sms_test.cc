// Answers by SMS: codes, the carriers' own words, and links where a code is not enough (F5, F6).
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <future>
#include <map>
#include <sstream>

#include "tests/support/child_process.h"
#include "tests/support/platforms/sms_stage.h"
#include "tests/support/redis_server.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

class Sms : public testing::Test {
 protected:
  // `platform` changes the platform's configuration. On a Redis of its own where `shared`.
  void Open(std::function<void(Json&)> platform = {}, bool shared = false) {
    WorldOptions options{.start = false};
    if (shared) redis_ = std::make_unique<RedisServer>();
    options.config = [this, platform = std::move(platform)](Json& config) {
      if (redis_) {
        config.Set("store", Json::MakeObject({{"kind", "redis"}, {"url", redis_->Url()}}));
      }
      Json& app = config.Find("apps")->array().front();
      app.Set("api_key", app.Find("platform")->TextAt("api_key"));
      app.Set("api_secret", app.Find("platform")->TextAt("api_secret"));
      Json kept = Json::MakeObject();
      for (const auto& [key, value] : app.Find("agents")->array().front().object()) {
        if (key != "agent_channels" && key != "user_id") kept.Set(key, value);
      }
      app.Find("agents")->array().front() = std::move(kept);
      stage_.Configure(app);
      app.Set("platform", twilio().PlatformConfig());  // signed under public_url
      if (platform) platform(*app.Find("platform"));
      config.Set("public_url", TwilioEmulator::kPublicUrl);
    };
    world_ = std::make_unique<World>(options);
    stage_.Attach(*world_);
    ASSERT_TRUE(world_->Start({{"WRIT_FAIL_COMMITS_WHILE", world_->File("store-is-broken")}}));
    stage_.Listens(world_->program().port());
  }
  void Restart() {
    world_->Kill();
    ASSERT_TRUE(world_->Start());
    stage_.Listens(world_->program().port());
  }
  [[nodiscard]] TwilioEmulator& twilio() { return stage_.twilio(); }
  void Write(const std::string& person, const std::string& text) {
    twilio().Write(SmsStage::NumberOf(person), text);
    twilio().WaitUntilTold();
  }
  [[nodiscard]] std::vector<std::string> Texts(const std::string& person) {
    std::vector<std::string> texts;
    for (const auto& sms : twilio().SentTo(SmsStage::NumberOf(person))) texts.push_back(sms.text);
    return texts;
  }
  [[nodiscard]] bool WaitForText(const std::string& person, const std::string& words,
                                 std::size_t count = 1) {
    return Eventually(
        [&] { return CountTexts(person, words) >= static_cast<std::ptrdiff_t>(count); });
  }
  [[nodiscard]] std::ptrdiff_t CountTexts(const std::string& person, const std::string& words) {
    return std::ranges::count_if(Texts(person), [&](const std::string& text) {
      return text.find(words) != std::string::npos;
    });
  }
  [[nodiscard]] Json Approvals(const std::string& query) {
    return *world_->api().Get(world_->Backend(), "/v1/approvals?" + query).json().Find("approvals");
  }
  // Waits until so many calls wait and were told; oldest first.
  std::vector<Json> WaitForAsks(std::size_t count = 1) {
    std::vector<Json> asks;
    EXPECT_TRUE(Eventually([&] {
      asks = Approvals("status=pending").array();
      return asks.size() == count && std::ranges::all_of(asks, [&](const Json& ask) {
               return !stage_.CodeOf(ask).empty();
             });
    }));
    std::ranges::reverse(asks);
    return asks;
  }
  [[nodiscard]] Json Record(const Json& ask) {
    return world_->api()
        .Get(world_->Backend(), "/v1/approvals/" + ask.TextAt("approval_id"))
        .json();
  }

  std::unique_ptr<RedisServer> redis_;
  SmsStage stage_;
  std::unique_ptr<World> world_;
};

}  // namespace

TEST_F(Sms, TheLogNamesNobodysNumberNorWhoseDataWasForgotten) {
  Open();
  Write("anya", AskWith("one"));
  WaitForAsks(1);
  const std::string forget = "/v1/users/sms:%2B12025550143/forget";
  const ApiReply forgotten = world_->api().Post(world_->Backend(), forget, {});
  EXPECT_EQ(forgotten.status, 200) << forgotten.body;
  EXPECT_TRUE(
      Eventually([&] { return world_->Log().find("user.forgotten") != std::string::npos; }));
  std::map<std::string, std::string> cids;  // by the event
  std::istringstream lines(world_->Log());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(line.find("2025550143"), std::string::npos) << line;
    if (const auto json = router::ParseJson(line).value) {
      cids[json->TextAt("event")] = json->TextAt("cid");
    }
  }
  EXPECT_TRUE(cids["event.stored"].starts_with("sms:")) << cids["event.stored"];
  EXPECT_GT(cids["event.stored"].size(), 10U);
  for (const std::string event : {"call.asked", "approval.cancelled", "call.ended", "turn.ended"}) {
    EXPECT_EQ(cids[event], cids["event.stored"]) << event << " is of the same conversation";
  }
}

TEST_F(Sms, TheAskedNumbersCodeAnswersItsOwnCallAndNoOther) {  // F5
  Open();
  Write("anya", AskWith("one"));
  const Json one = WaitForAsks(1).at(0);
  Write("ben", AskWith("two"));
  const auto asks = WaitForAsks(2);
  const Json& two = asks[1];
  ASSERT_NE(stage_.CodeOf(one), stage_.CodeOf(two));
  EXPECT_EQ(Texts("anya").at(0), "Allow crm__echo?\nmessage: \"one\"\nReply APPROVE " +
                                     stage_.CodeOf(one) + " or DENY " + stage_.CodeOf(one) + ".");

  Write("ben", "APPROVE " + stage_.CodeOf(one));
  EXPECT_TRUE(WaitForText("ben", "Nothing waits for an answer with that code."));
  for (const char* words : {"YES", "approve", "Deny"}) Write("anya", words);
  EXPECT_TRUE(WaitForText("anya", "To answer, reply APPROVE or DENY and the code", 3));
  EXPECT_EQ(Record(one).TextAt("status"), "pending");
  EXPECT_TRUE(world_->crm().Calls().empty());

  const std::string code = stage_.CodeOf(one);
  Write("anya", " approve " + code.substr(0, 3) + ' ' + code.substr(3) + ". ");
  EXPECT_TRUE(WaitForText("anya", "Results: echo: "));
  EXPECT_TRUE(WaitForText("anya", "Allowed: crm__echo."));
  EXPECT_EQ(Record(one).Find("decision")->TextAt("decided_by"), "user:sms:+12025550143");
  Write("anya", "DENY " + code);
  EXPECT_TRUE(WaitForText("anya", "This was allowed already."));

  const std::string deny = twilio().Write(SmsStage::NumberOf("ben"), "Deny" + stage_.CodeOf(two));
  EXPECT_TRUE(WaitForText("ben", "crm__echo: Declined"));
  EXPECT_EQ(twilio().Deliver(twilio().BodyOf(deny)).status, 200) << "once more";
  EXPECT_EQ(world_->crm().Calls().size(), 1U);
  EXPECT_EQ(world_->crm().CallsWith("one").size(), 1U);
  EXPECT_TRUE(std::ranges::none_of(
      Texts("ben"), [](const std::string& text) { return text.starts_with("This was declined"); }));
  for (const std::string& answer : twilio().Answers()) {
    EXPECT_EQ(answer, "200 <?xml version=\"1.0\" encoding=\"UTF-8\"?><Response/>");
  }
}

TEST_F(Sms, AfterFiveWrongCodesANumberAnswersByTheInboxAlone) {  // F5
  Open();
  Write("anya", kAsk);
  const Json ask = WaitForAsks().front();
  const std::string good = stage_.CodeOf(ask);
  const std::string wrong = good == "000000" ? "000001" : "000000";
  for (int i = 0; i < 5; ++i) Write("anya", "APPROVE " + wrong);
  EXPECT_TRUE(WaitForText("anya", "Nothing waits for an answer with that code.", 5));
  Restart();  // which forgets nothing
  Write("anya", "APPROVE " + good);
  EXPECT_TRUE(WaitForText("anya", "Too many wrong codes."));
  EXPECT_EQ(Record(ask).TextAt("status"), "pending");
  EXPECT_TRUE(world_->crm().Calls().empty());
}

TEST_F(Sms, OneCodeAnsweredManyTimesAtOnceIsOneAnswer) {  // F5, fault 23
  Open({}, true);
  const std::vector<int> nodes{world_->program().port(), world_->StartAnother().port()};
  Write("anya", kAsk);
  const Json ask = WaitForAsks().front();
  std::vector<std::string> answers;
  for (int i = 0; i < 4; ++i) {
    const std::string words = (i % 2 == 0 ? "APPROVE " : "DENY ") + stage_.CodeOf(ask);
    answers.push_back(twilio().BodyOf(twilio().Write(SmsStage::NumberOf("anya"), words, false)));
  }
  const auto deliver = [&](int node, const std::string& body) {
    const ApiHeaders headers{{"Content-Type", "application/x-www-form-urlencoded"},
                             {"X-Twilio-Signature", TwilioEmulator::SignatureOf(body)}};
    return Send(node, "POST", TwilioEmulator::kPath, headers, body).status;
  };
  const std::string broken = world_->File("store-is-broken");
  std::ofstream(broken).close();
  EXPECT_EQ(deliver(nodes[0], answers.front()), 503);
  std::remove(broken.c_str());
  EXPECT_EQ(Record(ask).TextAt("status"), "pending");

  // Each message comes to both nodes: a delivery and its repeat.
  std::vector<std::future<int>> deliveries;
  for (const std::string& answer : answers) {
    for (const int node : nodes) {
      deliveries.push_back(
          std::async(std::launch::async, [&, node] { return deliver(node, answer); }));
    }
  }
  for (auto& delivery : deliveries) EXPECT_EQ(delivery.get(), 200);
  EXPECT_TRUE(WaitForText("anya", "Results: "));
  EXPECT_TRUE(WaitForText("anya", "This was ", 3));
  Write("anya", "and then");
  EXPECT_TRUE(WaitForText("anya", "and then"));
  EXPECT_EQ(CountTexts("anya", "This was "), 3) << "a repeat is told nothing";
  EXPECT_EQ(CountTexts("anya", "Allowed: ") + CountTexts("anya", "Declined: "), 1);
  const bool is_allowed = Record(ask).TextAt("status") == "approved";
  EXPECT_EQ(world_->crm().Calls().size(), is_allowed ? 1U : 0U);
}

TEST_F(Sms, AnOptOutEndsWhatWaitsAndEveryMessage) {  // F6
  Open();
  Write("anya", kAsk);
  const Json ask = WaitForAsks().front();
  const std::size_t sent = Texts("anya").size();
  Write("anya", "Stop");
  EXPECT_TRUE(Eventually([&] { return Record(ask).TextAt("status") == "cancelled"; }));
  Write("anya", "APPROVE " + stage_.CodeOf(ask));
  Restart();  // which forgets nothing
  Write("anya", "are you there");
  EXPECT_TRUE(Eventually([&] { return world_->model().AskedAbout("are you there").size() == 1; }));
  Write("ben", "hello there");
  EXPECT_TRUE(WaitForText("ben", "You said: "));
  EXPECT_EQ(Texts("anya").size(), sent);
  EXPECT_EQ(twilio().Refusals(), 0) << "Twilio did not have to refuse anything";
  EXPECT_TRUE(world_->crm().Calls().empty());

  Write("anya", "START");
  Write("anya", "HELP");
  Write("anya", "and now");
  EXPECT_TRUE(WaitForText("anya", "and now"));
  EXPECT_TRUE(world_->model().AskedAbout("START").empty());
  EXPECT_TRUE(world_->model().AskedAbout("HELP").empty());
}

TEST_F(Sms, AChosenToolIsAnsweredByALinkAndNoCode) {
  Open([](Json& platform) {
    Json tools = Json::MakeArray();
    tools.Push("crm__echo");
    platform.Set("answer_by_link", std::move(tools));
  });
  Write("anya", kAsk);
  const std::string inbox = std::string(TwilioEmulator::kPublicUrl) + "/inbox?approval=apr_";
  ASSERT_TRUE(WaitForText("anya", inbox));
  const std::string text = Texts("anya").front();
  EXPECT_NE(text.find("message: \"shift 42\""), std::string::npos);
  EXPECT_EQ(text.find("APPROVE"), std::string::npos);
  const Json ask = Approvals("status=pending").array().front();

  const std::size_t at = text.find("&right=");
  ASSERT_NE(at, std::string::npos);
  const std::string right = text.substr(at + 7);
  const std::string key = text.substr(text.find("#key=") + 5, at - text.find("#key=") - 5);
  const ApiReply exchanged = world_->api().Post({{{"X-Api-Key", key}}},
                                                "/v1/inbox/" + ask.TextAt("approval_id") + "/right",
                                                Json::MakeObject({{"right", right}}));
  EXPECT_LT(exchanged.status, 300) << exchanged.text();
  EXPECT_GE(exchanged.status, 200);
}

TEST_F(Sms, WhatCannotBeReadIsSaidSo) {
  Open();
  const std::string anya = SmsStage::NumberOf("anya");
  const std::string picture = twilio().Write(anya, "", true, {{"NumMedia", "1"}});
  EXPECT_TRUE(WaitForText("anya", "I can read words alone"));
  twilio().Write(anya, "hi all", true, {{"OtherRecipients0", "+12025550144"}});
  EXPECT_TRUE(WaitForText("anya", "I can't take part in group messages."));
  EXPECT_EQ(twilio().Deliver(twilio().BodyOf(picture)).status, 200);
  const std::string body = twilio().BodyOf(twilio().Write(anya, "hello", false));
  EXPECT_EQ(twilio().DeliverSigned(body, "").status, 401);
  EXPECT_EQ(twilio().DeliverSigned(body + "&X=1", TwilioEmulator::SignatureOf(body)).status, 401);
  EXPECT_EQ(Texts("anya").size(), 2U);
}

TEST_F(Sms, WhatMayHaveBeenSentIsLookedForAndSentOnce) {
  Open();
  const std::string anya = SmsStage::NumberOf("anya");
  world_->model().When("tell me all", [](const StubModel::Asked&) {
    return StubModel::Reply{.text = std::string(1500, 'a') + ' ' + std::string(1400, 'b')};
  });
  Write("anya", "hello there");
  EXPECT_TRUE(WaitForText("anya", "hello there"));

  twilio().PassMinute();
  twilio().Order(anya, {.status = 503, .happens_all_the_same = true}, 1);
  twilio().OrderLooks(1);
  Write("anya", "hello there");  // the same words, which were sent before
  EXPECT_TRUE(WaitForText("anya", "hello there", 2));
  EXPECT_TRUE(Eventually([&] { return twilio().Looks().size() == 1; }));
  twilio().PassMinute();
  twilio().Order(anya, {.status = 503}, 1);  // this one was not sent
  Write("anya", "hello there");
  EXPECT_TRUE(WaitForText("anya", "hello there", 3));
  twilio().Order(anya, {.status = 503, .happens_all_the_same = true}, 2);
  Write("anya", "tell me all");
  EXPECT_TRUE(WaitForText("anya", "bbb"));
  Write("anya", "and then");
  EXPECT_TRUE(WaitForText("anya", "and then"));
  EXPECT_EQ(CountTexts("anya", "hello there"), 3);
  EXPECT_EQ(CountTexts("anya", "aaaa"), 1);
  EXPECT_EQ(CountTexts("anya", "bbbb"), 1);
}

TEST_F(Sms, OthersAcceptWhatTheEmulatorSignsAndWhatIsSentToIt) {
  Open();
  const std::string anya = SmsStage::NumberOf("anya");
  twilio().Order(anya, {.happens_all_the_same = true}, 1);  // it is looked for
  Write("anya", kAsk);
  const Json ask = WaitForAsks().front();
  const std::string answer = twilio().Write(anya, "approve " + stage_.CodeOf(ask));
  EXPECT_TRUE(WaitForText("anya", "Results: echo: "));
  Json deliveries = Json::MakeArray();
  for (const std::string& sid : {answer, twilio().Write(anya, "50% + é 🙏", false)}) {
    const std::string body = twilio().BodyOf(sid);
    deliveries.Push(
        Json::MakeObject({{"body", body}, {"signature", TwilioEmulator::SignatureOf(body)}}));
  }
  Json calls = Json::MakeArray();
  for (const auto& called : twilio().Calls()) {
    Json fields = Json::MakeObject();
    for (const auto& [name, value] : called) fields.Set(name, value);
    calls.Push(std::move(fields));
  }
  Json looks = Json::MakeArray();
  for (const auto& [query, page] : twilio().Looks()) {
    Json fields = Json::MakeObject();
    for (const auto& [name, value] : query) fields.Set(name, value);
    looks.Push(Json::MakeObject({{"query", std::move(fields)}, {"answer", page}}));
  }
  const std::string record = world_->File("sms.json");
  std::ofstream(record) << Json::MakeObject({{"authToken", TwilioEmulator::kToken},
                                             {"account", TwilioEmulator::kAccount},
                                             {"url", std::string(TwilioEmulator::kPublicUrl) +
                                                         TwilioEmulator::kPath},
                                             {"deliveries", std::move(deliveries)},
                                             {"calls", std::move(calls)},
                                             {"looks", std::move(looks)}})
                               .Dump();
  std::vector<std::string> judge{NodeProgram("twilio/package.json").front(), "tests/node/sms.mjs",
                                 record, "tests/data/specs"};
  Program program(judge, {}, world_->File("judge.log"));
  const bool judged = program.WaitForOutput("2 deliveries, ");
  EXPECT_EQ(program.WaitForEnd(), 0) << program.output();
  EXPECT_TRUE(judged) << program.output();
}

}  // namespace writ::tests
