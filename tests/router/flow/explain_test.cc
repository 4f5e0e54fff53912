#include "router/flow/explain.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "tests/router/tool/a_shelf.h"
#include "tests/support/recording_log.h"

namespace writ::router {
namespace {

using tests::ABinding;
using tests::ATool;
using tests::SchemaOf;
using Outcome = Explanation::Outcome;

class AtOnce final : public Jobs {
 public:
  void Run(std::function<void()> job) override { job(); }
  bool Offer(std::function<void()> job) override {
    job();
    return true;
  }
};

// Lists its tools, and fails the test that makes it call one.
class ListedTools final : public Connector {
 public:
  void ListTools(std::chrono::milliseconds /*max_age*/, std::stop_token /*stop*/,
                 std::function<void(ToolListOutcome)> done) override {
    if (away) {
      done(ToolListFailure{"away"});
    } else {
      done(ToolList{{ATool("echo", R"({"type":"object","required":["message"]})"), ATool("refund"),
                     ATool("drop_table")},
                    {}});
    }
  }
  void Call(const CallRequest& /*request*/, std::stop_token /*stop*/,
            std::function<void(CallReport)> /*done*/) override {
    ADD_FAILURE() << "something was sent";
  }
  bool away = false;
};

// Is asked nothing: only turns ask the backend.
class NeverAsked final : public Check {
 public:
  void Ask(CheckRequest /*request*/, std::stop_token /*stop*/,
           std::function<void(CheckOutcome)> /*done*/) override {
    ADD_FAILURE() << "the backend was asked";
  }
};

class Explained : public testing::Test {
 protected:
  Explained() : binding_(ABinding()) {
    binding_.deny = {"nothing", "drop_*"};
    binding_.hold.push_back({"echo", std::nullopt, "look twice"});
    binding_.hold.push_back(
        {"refund", SchemaOf(R"({"properties":{"amount":{"exclusiveMinimum":100}}})"), ""});
  }

  Explanation Explain(CallInQuestion call) {
    AgentSetup agent;
    agent.id = AgentId("helper");
    agent.chat_channels = {"callouts"};
    agent.agent_channels = {"agent"};
    agent.connectors.push_back({other_, &connector_});
    agent.connectors.push_back({binding_, &connector_});
    agent.connectors.back().before_call = before_call_;
    AppSetup first;
    first.id = AppId("first");
    AppSetup acme;
    acme.id = AppId("acme");
    acme.agents.push_back(agent);
    const Directory directory({first, acme});
    Shelves shelves(jobs_, log_);
    std::optional<Explanation> told;
    router::Explain(directory, shelves).Run(call, {}, [&](Explanation explanation) {
      told = std::move(explanation);
    });
    return told.value();
  }

  static CallInQuestion Echo() {
    return {AppId("acme"), Cid("callouts:team-1"),   UserId("anya-1"),
            "crm__echo",   R"({"message":"hello"})", std::nullopt};
  }

  Binding other_ = [] {
    Binding binding = ABinding();
    binding.id = ConnectorId("orders");
    return binding;
  }();
  Binding binding_;
  Check* before_call_ = nullptr;
  ListedTools connector_;
  AtOnce jobs_;
  tests::RecordingLog log_;
};

TEST_F(Explained, AHeldCallIsAskedOfTheWriterByTheRuleThatNamesIt) {
  const Explanation told = Explain(Echo());
  EXPECT_EQ(told.outcome, Outcome::kHeld);
  EXPECT_EQ(told.asked, (Asked{Asked::Kind::kUser, UserId("anya-1")}));
  EXPECT_EQ(told.rule, "/apps/1/agents/0/connectors/1/require_approval/0");
  EXPECT_EQ(told.who_rule, "/apps/1/agents/0/chat_channels");
  EXPECT_EQ(told.channel_rule, "/apps/1/agents/0/chat_channels");
  EXPECT_EQ(told.hint, "look twice");
  EXPECT_EQ(told.agent, AgentId("helper"));
}

TEST_F(Explained, TheConditionOfARuleDecides) {
  CallInQuestion call = Echo();
  call.tool = "crm__refund";
  call.arguments = R"({"amount":100})";
  EXPECT_EQ(Explain(call).outcome, Outcome::kRuns);
  EXPECT_EQ(Explain(call).rule, "");
  call.arguments = R"({"amount":101})";
  EXPECT_EQ(Explain(call).outcome, Outcome::kHeld);
  EXPECT_EQ(Explain(call).rule, "/apps/1/agents/0/connectors/1/require_approval/1");
}

TEST_F(Explained, WithoutAWriterThereIsNobodyToAsk) {
  CallInQuestion call = Echo();
  call.writer = UserId();
  const Explanation told = Explain(call);
  EXPECT_EQ(told.outcome, Outcome::kRefused);
  EXPECT_EQ(told.status, "nobody_to_ask");
}

TEST_F(Explained, InAConversationOfOnesOwnTheSessionDecides) {
  CallInQuestion call = Echo();
  call.cid = Cid("agent:one");
  EXPECT_EQ(Explain(call).status, "nobody_to_ask") << "no session: a bridged thread";
  call.session.emplace();
  call.session->owner = UserId("anya-1");
  EXPECT_EQ(Explain(call).asked.user, UserId("anya-1"));
  EXPECT_EQ(Explain(call).who_rule, "/apps/1/agents/0/agent_channels");
  call.writer = UserId("ben-2");
  EXPECT_EQ(Explain(call).status, "nobody_to_ask");
  call.writer = UserId("anya-1");
  call.session->shared = true;
  EXPECT_EQ(Explain(call).status, "nobody_to_ask");
}

TEST_F(Explained, TheApproverGoesBeforeThePerson) {
  binding_.approver = Approver::kBackend;
  EXPECT_EQ(Explain(Echo()).outcome, Outcome::kHeld);
  EXPECT_EQ(Explain(Echo()).asked.kind, Asked::Kind::kBackend);
  EXPECT_EQ(Explain(Echo()).who_rule, "/apps/1/agents/0/connectors/1/approver");
  binding_.approver = Approver::kAutoApprove;
  EXPECT_EQ(Explain(Echo()).outcome, Outcome::kApproved);
  binding_.approver = Approver::kAutoDeny;
  binding_.auto_deny_reason = "never";
  EXPECT_EQ(Explain(Echo()).outcome, Outcome::kDeclined);
  EXPECT_EQ(Explain(Echo()).reason, "never");
}

TEST_F(Explained, WhatIsRefusedSaysWhyAndByWhichRule) {
  CallInQuestion call = Echo();
  call.arguments = "{}";
  EXPECT_EQ(Explain(call).status, "invalid_arguments");
  call.tool = "crm__drop_table";
  EXPECT_EQ(Explain(call).status, "blocked");
  EXPECT_EQ(Explain(call).rule, "/apps/1/agents/0/connectors/1/deny/1");
  binding_.deny.clear();
  binding_.allow = {"echo", "refund"};
  EXPECT_EQ(Explain(call).rule, "/apps/1/agents/0/connectors/1/allow");
  call.tool = "crm__other";
  EXPECT_EQ(Explain(call).status, "unknown_tool");
  call.tool = "unknown";
  EXPECT_EQ(Explain(call).status, "unknown_tool");
}

TEST_F(Explained, ThatTheBackendIsAskedFirstIsSaid) {
  NeverAsked backend;
  const std::string why = Explain(Echo()).why;
  before_call_ = &backend;
  EXPECT_EQ(Explain(Echo()).outcome, Outcome::kHeld);
  EXPECT_EQ(Explain(Echo()).why, why + "; before that the app's backend may block or answer it");
  binding_.before_call.deny = {{"echo", std::nullopt, "never"}};
  EXPECT_EQ(Explain(Echo()).rule, "/apps/1/agents/0/connectors/1/before_call/deny/0");
  EXPECT_EQ(Explain(Echo()).why, "never");
}

TEST_F(Explained, WhereNoAgentAnswersOrNoListCanBeHadNothingWouldRun) {
  CallInQuestion call = Echo();
  call.cid = Cid("other:one");
  EXPECT_EQ(Explain(call).outcome, Outcome::kNobodyAnswers);
  call = Echo();
  call.app = AppId("first");
  EXPECT_EQ(Explain(call).outcome, Outcome::kNobodyAnswers);
  connector_.away = true;
  EXPECT_EQ(Explain(Echo()).outcome, Outcome::kFailed);
}

}  // namespace
}  // namespace writ::router
