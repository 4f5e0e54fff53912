#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "router/base/json.h"
#include "router/tool/connector.h"

namespace writ::tests {

// What every connector holds to, whatever it speaks. A rig has a real connector and the outside
// system behind it, with one tool, `echo {message}`:
//
//   router::Connector& connector();
//   void AnswerWith(std::string text);  // from now on
//   void FailByItself(std::string text);  // the tool's own error
//   void BreakDown();  // the server fails in a way that proves nothing
//   void Stall();      // calls arrive and are not answered
//   void GoAway();     // nobody listens any more
//   std::vector<std::pair<std::string, std::string>> Arrived();  // arguments and key of each call
//   bool WaitForArrivals(std::size_t count);
template <class Rig>
class ConnectorContract : public testing::Test {
 protected:
  Rig rig_;
  std::stop_source stop_;

  static router::CallRequest CallOf(std::string arguments) {
    router::CallRequest call;
    call.tool = "echo";
    call.arguments = std::move(arguments);
    call.idempotency_key = "call_7";
    return call;
  }
  std::future<router::CallReport> Start(const router::CallRequest& call) {
    auto report = std::make_shared<std::promise<router::CallReport>>();
    rig_.connector().Call(call, stop_.get_token(), [report](router::CallReport came) {
      report->set_value(std::move(came));
    });
    return report->get_future();
  }
  static router::CallReport Await(std::future<router::CallReport> report) {
    if (report.wait_for(std::chrono::seconds{30}) != std::future_status::ready) {
      ADD_FAILURE() << "no report came";
      return {};
    }
    return report.get();
  }
  router::CallReport Call(std::string arguments = R"({"message":"hi"})") {
    return Await(Start(CallOf(std::move(arguments))));
  }
};

TYPED_TEST_SUITE_P(ConnectorContract);

TYPED_TEST_P(ConnectorContract, ListsItsToolsOnAnotherThread) {
  struct Listed {
    std::thread::id thread;
    router::ToolListOutcome outcome;
  };
  auto listed = std::make_shared<std::promise<Listed>>();
  this->rig_.connector().ListTools(std::chrono::milliseconds{0}, {},
                                   [listed](router::ToolListOutcome came) {
                                     listed->set_value({std::this_thread::get_id(), came});
                                   });
  const Listed came = listed->get_future().get();
  EXPECT_NE(came.thread, std::this_thread::get_id());
  const auto& tools = std::get<router::ToolList>(came.outcome).tools;
  ASSERT_EQ(tools.size(), 1U);
  EXPECT_EQ(tools[0].name, "echo");
  EXPECT_TRUE(tools[0].input_schema.IsObject());
}

TYPED_TEST_P(ConnectorContract, ACallArrivesOnceDigitForDigitWithItsKey) {
  this->rig_.AnswerWith("shift 42");
  const std::string arguments =
      R"({"amount":12345678901234567890123,"list":[1.5,true,null],"message":"ü\u0001"})";
  const router::CallReport report = this->Call(arguments);
  EXPECT_EQ(report.kind, router::CallReport::Kind::kAnswered);
  EXPECT_EQ(report.text, "shift 42");
  EXPECT_FALSE(report.is_error);
  const auto arrived = this->rig_.Arrived();
  ASSERT_EQ(arrived.size(), 1U);
  EXPECT_EQ(arrived[0].first, arguments);
  EXPECT_EQ(arrived[0].second, "call_7");
}

TYPED_TEST_P(ConnectorContract, TheToolsOwnErrorIsAnAnswer) {
  this->rig_.FailByItself("no such order");
  const router::CallReport report = this->Call();
  EXPECT_EQ(report.kind, router::CallReport::Kind::kAnswered);
  EXPECT_TRUE(report.is_error);
  EXPECT_EQ(report.text, "no such order");
}

TYPED_TEST_P(ConnectorContract, AnEmptyAnswerIsSaidToBeEmpty) {
  this->rig_.AnswerWith("");
  EXPECT_EQ(this->Call().text, "(no output)");
}

TYPED_TEST_P(ConnectorContract, WhatProvesNothingIsInDoubtAndNotRepeated) {
  this->rig_.BreakDown();
  EXPECT_EQ(this->Call().kind, router::CallReport::Kind::kInDoubt);
  EXPECT_EQ(this->rig_.Arrived().size(), 1U);
}

TYPED_TEST_P(ConnectorContract, AnAnswerThatIsLateIsInDoubt) {
  // Whatever must be open for a call is open: the time is that of the late one alone.
  ASSERT_EQ(this->Call().kind, router::CallReport::Kind::kAnswered);
  this->rig_.Stall();
  router::CallRequest call = this->CallOf("{}");
  call.timeout = std::chrono::seconds{3};
  EXPECT_EQ(this->Await(this->Start(call)).kind, router::CallReport::Kind::kInDoubt);
  EXPECT_EQ(this->rig_.Arrived().size(), 2U);
}

TYPED_TEST_P(ConnectorContract, AStopOfACallThatIsOutLeavesItInDoubt) {
  this->rig_.Stall();
  std::future<router::CallReport> report = this->Start(this->CallOf("{}"));
  ASSERT_TRUE(this->rig_.WaitForArrivals(1));
  this->stop_.request_stop();
  EXPECT_EQ(this->Await(std::move(report)).kind, router::CallReport::Kind::kInDoubt);
}

TYPED_TEST_P(ConnectorContract, ACallThatWasStoppedBeforeItLeftIsRefused) {
  this->stop_.request_stop();
  EXPECT_EQ(this->Call().kind, router::CallReport::Kind::kRefused);
  EXPECT_TRUE(this->rig_.Arrived().empty());
}

TYPED_TEST_P(ConnectorContract, WhereNobodyListensTheCallIsRefused) {
  this->rig_.GoAway();
  EXPECT_EQ(this->Call().kind, router::CallReport::Kind::kRefused);
}

TYPED_TEST_P(ConnectorContract, ArgumentsThatAreNoObjectNeverLeave) {
  for (const char* arguments : {"", "null", "[]", "7", "{", R"({"a":1}})"}) {
    EXPECT_EQ(this->Call(arguments).kind, router::CallReport::Kind::kRefused) << arguments;
  }
  EXPECT_TRUE(this->rig_.Arrived().empty());
}

REGISTER_TYPED_TEST_SUITE_P(ConnectorContract, ListsItsToolsOnAnotherThread,
                            ACallArrivesOnceDigitForDigitWithItsKey, TheToolsOwnErrorIsAnAnswer,
                            AnEmptyAnswerIsSaidToBeEmpty, WhatProvesNothingIsInDoubtAndNotRepeated,
                            AnAnswerThatIsLateIsInDoubt, AStopOfACallThatIsOutLeavesItInDoubt,
                            ACallThatWasStoppedBeforeItLeftIsRefused,
                            WhereNobodyListensTheCallIsRefused, ArgumentsThatAreNoObjectNeverLeave);

}  // namespace writ::tests
