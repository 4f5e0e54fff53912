// The inbox and the demo's page in Chromium: each story is a program for Node (the .mjs files
// here), which drives the browser and asks this side for what happens behind the pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bot/auth/token.h"
#include "bot/http/api_body.h"
#include "bot/http/route_table.h"
#include "bot/http/server.h"
#include "router/approval/inbox_right.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

const std::string kNode = "tests/node/node_modules/.bin/node";
constexpr std::chrono::seconds kLongestStory{280};

// A booking's tool has one of each that a form is made of, and something that no form knows.
constexpr const char* kBookSchema = R"({"type": "object", "additionalProperties": false,
  "required": ["room", "guests", "start", "address"],
  "properties": {
    "room": {"type": "string", "enum": ["red", "blue"], "title": "Room"},
    "guests": {"type": "integer", "minimum": 1, "maximum": 20,
               "title": "Who comes", "description": "how many chairs"},
    "start": {"type": "string", "not": {"const": "tomorrow"}},
    "notes": {"type": "string", "maxLength": 200},
    "notify": {"type": "boolean"},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
    "address": {"$ref": "#/$defs/address"},
    "account": {"type": "integer"},
    "pin": {"type": "string", "format": "password"}},
  "$defs": {"address": {"type": "object", "required": ["city", "zip"], "properties": {
    "city": {"type": "string"}, "zip": {"type": "string", "pattern": "^[0-9]{5}$"}}}}})";
constexpr const char* kBooking =
    R"({"room":"red","guests":12,"start":"2026-12-23","notes":"Window seats, please.","notify":true,)"
    R"("tags":["party","winter"],"address":{"city":"Berlin","zip":"10115"},)"
    R"("account":12345678901234567890,"pin":"s3cret"})";
// A node that needs itself for ever, and lists in lists.
constexpr const char* kTreeSchema = R"({"type": "object", "required": ["name"], "properties": {
    "name": {"type": "string"}, "child": {"$ref": "#/$defs/node"}, "boxes": {"$ref": "#/$defs/box"}},
  "$defs": {"node": {"type": "object", "required": ["next"], "properties": {
              "next": {"$ref": "#/$defs/node"}}},
            "box": {"type": "array", "items": {"$ref": "#/$defs/box"}}}})";
constexpr const char* kLiarSchema = R"({"type": "object", "properties": {"amount": {
  "type": "integer", "title": "Approved already by your manager <b>"}}})";

constexpr const char* kQuestion = R"({"size": {"method": "elicitation/create", "params": {
  "mode": "form", "message": "Which size?", "requestedSchema": {"type": "object",
    "required": ["size"], "properties": {"size": {"type": "string", "enum": ["S", "M"]},
                                         "note": {"type": "string"}}}}}})";

Json Parsed(const std::string& text) { return router::ParseJson(text).value.value_or(Json()); }

bool CanPlay() {
  return std::filesystem::exists("/usr/bin/chromium") && std::filesystem::exists(kNode) &&
         std::filesystem::exists("tests/node/node_modules/axe-core");
}

// Plays the story to its end.
void Play(const std::string& story, Json given, const std::string& log) {
  if (const char* pictures = std::getenv("WRIT_PICTURES")) given.Set("pictures", pictures);
  Program node({kNode, "tests/pages/" + story + ".mjs", given.Dump()}, {}, log);
  const auto ended = node.WaitForEnd(kLongestStory);
  std::ostringstream said;
  said << std::ifstream(log).rdbuf();
  EXPECT_EQ(ended, 0) << node.output() << said.str();
}

// The world behind the pages, and what a story may ask of it.
class Backstage {
 public:
  // `prepare` has the world before the program starts: it lists a connector's tools then.
  explicit Backstage(
      WorldOptions options, const std::function<void(World&)>& prepare = [](World&) {})
      : world_(NotStarted(std::move(options))), routes_(log_) {
    prepare(world_);
    world_.Start();
    world_.AddChannel("callouts:team-2");
    On("say", [this](const Json& body) { return Say(body); });
    On("call", [this](const Json& body) { return CallOf(body); });
    On("held", [this](const Json& body) { return Hold(body, "ben-2"); });
    On("link", [this](const Json& body) { return Link(body); });
    On("ran", [this](const Json&) { return Ran(); });
    On("told", [this](const Json&) { return Told(); });
    On("platform", [this](const Json& body) { return Platform(body); });
    On("many", [this](const Json& body) { return Many(body); });
    On("answer", [this](const Json& body) { return Answer(body); });
    server_ = std::make_unique<bot::Server>(
        bot::ServerOptions{},
        [this](bot::Request request) { return routes_.Handle(std::move(request)); }, log_);
    server_->Start();
  }

  void Play(const std::string& story, const Json& more = Json::MakeObject()) {
    Json given = Json::MakeObject(
        {{"url", "http://127.0.0.1:" + std::to_string(world_.program().port())},
         {"control", "http://127.0.0.1:" + std::to_string(server_->port())},
         {"anya", TokenOf({{"user_id", "anya-1"}})},
         {"ben", TokenOf({{"user_id", "ben-2"}})},
         {"server", TokenOf({{"server", true}})},
         {"expired", TokenOf({{"user_id", "anya-1"}, {"exp", 1}})},
         {"nobody", TokenOf({{"iat", 1}})},
         {"operator", TokenOf({{"writ", "operator"}, {"exp", INT64_C(4'000'000'000)}})}});
    for (const auto& member : more.object()) given.Set(member.key, member.value);
    tests::Play(story, given, world_.File(story + ".log"));
  }

 private:
  static WorldOptions NotStarted(WorldOptions options) {
    options.start = false;
    return options;
  }
  template <class Does>
  void On(const std::string& what, Does does) {
    routes_.Add("POST", "/" + what, [does](const bot::Request& request) {
      return bot::JsonResponse(200, does(Parsed(request.body)));
    });
  }
  [[nodiscard]] std::string TokenOf(std::initializer_list<router::JsonMember> claims) {
    return bot::MakeToken(Json::MakeObject(claims), world_.chat().keys().api_secret);
  }
  static std::string Or(const std::string& text, const std::string& otherwise) {
    return text.empty() ? otherwise : text;
  }

  [[nodiscard]] std::set<std::string> HeldIn(const std::string& cid) const {
    std::set<std::string> requests;
    for (const HeldCall& held : world_.HeldCalls(cid)) requests.insert(held.request);
    return requests;
  }

  Json Say(const Json& body) {
    const std::string cid = Or(body.TextAt("cid"), kTeam);
    // One that was answered may still be shown as held.
    const std::set<std::string> before = HeldIn(cid);
    world_.Say(Or(body.TextAt("user"), "anya-1"), body.TextAt("text"), cid);
    if (body.BoolAt("held") == true) {
      EXPECT_TRUE(Eventually([&] {
        return std::ranges::any_of(
            HeldIn(cid), [&](const std::string& request) { return !before.contains(request); });
      }));
    }
    return Json::MakeObject();
  }

  // A call with arguments that no message could hold.
  Json CallOf(const Json& body) {
    const std::string word = "word" + std::to_string(++words_);
    StubModel::Reply reply;
    reply.calls.push_back({body.TextAt("tool"), body.TextAt("arguments")});
    world_.model().When(word, [reply](const StubModel::Asked& asked) {
      return asked.rounds == 0 ? reply : StubModel::Reply{.text = "Sent."};
    });
    world_.Say("anya-1", word);
    return Json::MakeObject();
  }

  // A held call of that word in a channel of its own; its approval.
  Json Hold(const Json& body, const std::string& user) {
    const std::string cid = (body.Find("wait") != nullptr ? "quick:" : "callouts:") +
                            std::string("own-") + std::to_string(++words_);
    world_.AddChannel(cid, {user});
    world_.Say(user, AskWith(body.TextAt("word")), cid);
    return Json::MakeObject({{"id", world_.WaitForHeld(cid).request}});
  }

  Json Link(const Json& body) {
    Json held = Hold(body, "anya-1");
    const Json told =
        world_.api().Get(world_.Backend(), "/v1/approvals/" + held.TextAt("id")).json();
    router::ApprovalRecord record;
    record.id = router::ApprovalId(told.TextAt("approval_id"));
    record.app = router::AppId(told.TextAt("app_id"));
    record.asked = router::UserId(told.TextAt("asked"));
    record.expires_at = router::ParseTime(told.TextAt("expires_at")).value();
    const bot::ChatKeys keys = world_.chat().keys();
    held.Set("link", router::InboxLinkFor("/inbox", record, keys.api_key, keys.api_secret));
    return held;
  }

  Json Ran() {
    Json calls = Json::MakeArray();
    for (const StubCrm::Call& call : world_.crm().Calls()) {
      calls.Push(Json::MakeObject(
          {{"tool", call.tool}, {"arguments", call.arguments}, {"input", call.input.Dump()}}));
    }
    return Json::MakeObject({{"calls", std::move(calls)}});
  }

  Json Told() {
    Json results = Json::MakeArray();
    for (const std::string& one : ToldAbout(world_, "in the other channel")) results.Push(one);
    return Json::MakeObject({{"results", std::move(results)}});
  }

  Json Platform(const Json& body) {
    world_.chat().faults().Clear();
    if (body.BoolAt("down") == true) {
      world_.chat().faults().Order(bot::ChatEndpoint::kQueryMembers, {}, 1000);
    }
    return Json::MakeObject();
  }

  Json Many(const Json& body) {
    for (std::int64_t left = body.IntAt("count").value_or(0); left > 0; left -= 30) {
      const std::string cid = "callouts:many-" + std::to_string(left);
      world_.AddChannel(cid);
      std::string text;
      const auto count = static_cast<std::size_t>(std::min<std::int64_t>(left, 30));
      for (std::size_t i = 0; i < count; ++i) {
        text += AskWith("number " + std::to_string(i)) + "\n";
      }
      world_.Say("ben-2", text, cid);
      const auto pending = [&] {
        const ApiReply reply = world_.api().Get(
            world_.Backend(), "/v1/agents/conversations/" + cid + "/tool_approvals");
        const Json all = reply.json();
        const Json* approvals = all.Find("approvals");
        return approvals == nullptr ? 0 : approvals->array().size();
      };
      EXPECT_TRUE(Eventually([&] { return pending() == count; })) << pending();
    }
    return Json::MakeObject();
  }

  // Anya answers her held call of that word, somewhere else.
  Json Answer(const Json& body) {
    for (const HeldCall& held : world_.HeldCalls()) {
      if (held.step.Dump().find(body.TextAt("word")) == std::string::npos) continue;
      const bool allowed = body.BoolAt("allowed") == true;
      return Json::MakeObject(
          {{"status", world_.Answer(world_.As("anya-1"), held, allowed).status}});
    }
    return Json::MakeObject();
  }

  World world_;
  RecordingLog log_;
  bot::RouteTable routes_;
  std::unique_ptr<bot::Server> server_;
  int words_ = 0;
};

class Pages : public testing::Test {
 protected:
  void SetUp() override {
    if (!CanPlay())
      GTEST_SKIP() << "no Chromium, or tests/node is not installed (./dev test does it)";
  }
};

WorldOptions AllHeld() {
  WorldOptions options;
  options.crm = [](Json& crm) { crm.Set("require_approval", true); };
  options.agent = Limits({{"channel_wait_s", 0.2}, {"max_asks", 64}, {"approval_wait_s", 600}});
  return options;
}

TEST_F(Pages, ANewcomerSeesInTheDemoWhoMayApproveWhatAndWhy) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.File("tmp"));
  Program demo({PathOfWrit(), "demo", "--listen", "127.0.0.1:0"}, {{"TMPDIR", folder.File("tmp")}},
               folder.File("demo.log"));
  ASSERT_TRUE(demo.WaitUntilItListens());
  Play("demo", Json::MakeObject({{"url", "http://127.0.0.1:" + std::to_string(demo.port())}}),
       folder.File("story.log"));
  EXPECT_EQ(demo.Terminate(), 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder.File("tmp")));
}

TEST_F(Pages, APersonAnswersWhatWaitsForThemInTheInbox) {
  Backstage stage(AllHeld(), [](World& world) {
    world.crm().SetTool("book", Parsed(kBookSchema));
    world.crm().SetTool("tree", Parsed(kTreeSchema));
  });
  stage.Play("person", Json::MakeObject({{"booking", kBooking}}));
}

TEST_F(Pages, WhatGoesWrongIsToldAsWhatItIs) { Backstage(AllHeld()).Play("trouble"); }

TEST_F(Pages, AnySchemaLeavesAFormThatWorks) { Backstage(AllHeld()).Play("schemas"); }

TEST_F(Pages, HostileNamesAndArgumentsStayText) {
  Backstage stage(AllHeld(), [](World& world) {
    world.crm().SetTool("free", Parsed(R"({"type": "object"})"));
    world.crm().SetTool("liar", Parsed(kLiarSchema));
    // NOLINTNEXTLINE(misc-misleading-bidirectional): a name that turns the letters after it round
    world.chat().world().AddUser("anya-1", "<script>alert(3)</script> \u202e nayA");
  });
  stage.Play("hostile");
}

TEST_F(Pages, AToolsQuestionIsAnsweredOnItsOwnForm) {
  WorldOptions options;
  options.crm = [](Json& crm) { crm.Set("era", "2026-07-28"); };
  Backstage stage(std::move(options), [](World& world) {
    world.crm().On("lookup", [](const StubCrm::Call& call) {
      StubCrm::Result result;
      if (call.input.IsNull()) result.asks = Parsed(kQuestion);
      return result;
    });
  });
  stage.Play("question");
}

TEST_F(Pages, AnOperatorSeesSearchesAndDecidesAllOfAnApp) {
  WorldOptions options = AllHeld();
  options.config = [](Json& config) {
    config.Set("audit", Json::MakeObject({{"secret", "of the log, and long enough to be one"}}));
  };
  Backstage(std::move(options)).Play("operator");
}

TEST_F(Pages, ALinkOpensOneCallAndDecidesNothingByBeingOpened) {
  WorldOptions options = AllHeld();
  options.config = [](Json& config) {
    Json& agents = *config.Find("apps")->array().front().Find("agents");
    Json quick = agents.array().front();
    quick.Set("id", "quick");
    quick.Set("chat_channels", Json::Array{"quick"});
    quick.Set("agent_channels", Json::MakeArray());
    quick.Set("limits", Json::MakeObject({{"approval_wait_s", 30}}));
    agents.Push(std::move(quick));
  };
  Backstage(std::move(options)).Play("link");
}

// Each file that a page is made of, from its own address.
TEST(PageFiles, AreSmallStrictAndKeptByTheBrowser) {
  World world;
  const int port = world.program().port();
  std::size_t bytes = 0;
  for (const char* path :
       {"/inbox", "/inbox/inbox.css", "/inbox/api.js", "/inbox/card.js", "/inbox/fields.js",
        "/inbox/form.js", "/inbox/live.js", "/inbox/main.js", "/inbox/operator.js",
        "/inbox/question.js", "/inbox/schema.js", "/inbox/store.js", "/pages/style.css",
        "/pages/json.js", "/pages/dom.js", "/pages/words.js"}) {
    const ApiReply file = Send(port, "GET", path, {}, "");
    ASSERT_EQ(file.status, 200) << path;
    bytes += file.body.size();
    EXPECT_NE(file.head.find("default-src 'none'; script-src 'self'; style-src 'self'"),
              std::string::npos);
    EXPECT_NE(file.head.find("frame-ancestors 'none'; require-trusted-types-for 'script'"),
              std::string::npos);
    for (const char* inlined :
         {"<style", " style=", "<script>", " onclick=", "innerHTML", "eval("}) {
      EXPECT_EQ(file.body.find(inlined), std::string::npos) << path << " has " << inlined;
    }
    const std::size_t tag = file.head.find("ETag: ") + 6;
    const std::string known = file.head.substr(tag, file.head.find('\r', tag) - tag);
    EXPECT_EQ(Send(port, "GET", path, {{"If-None-Match", known}}, "").status, 304) << path;
  }
  // What is refused on a page's path is as strict, and stays nowhere.
  for (const auto& [method, path, status] : {std::tuple{"GET", "/inbox/none.js", 404},
                                             {"POST", "/inbox", 405},
                                             {"PUT", "/pages/dom.js", 405}}) {
    const ApiReply refused = Send(port, method, path, {}, "");
    EXPECT_EQ(refused.status, status) << path;
    for (const char* header : {"X-Content-Type-Options: nosniff", "Cache-Control: no-store",
                               "Content-Security-Policy: default-src 'none'"}) {
      EXPECT_NE(refused.head.find(header), std::string::npos) << path << " lacks " << header;
    }
  }
  EXPECT_LT(bytes, 110U * 1024);  // the demo's own come beside them: demo_test
}

}  // namespace
}  // namespace writ::tests
