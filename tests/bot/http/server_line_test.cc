// Requests that may wait for others, and what is refused so that the others need not.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bot/http/message.h"
#include "tests/bot/http/a_server.h"
#include "tests/support/stage/eventually.h"

namespace writ::bot {
namespace {

using tests::Eventually;

inline constexpr std::string_view kEvent =
    "POST /event HTTP/1.1\r\nHost: writ\r\nContent-Length: 2\r\n\r\n{}";

class ServerLineTest : public ServerTest {
 protected:
  // `POST /event` is answered once the test lets it.
  ServerLineTest() {
    table_.Add("POST", "/event", [this](const Request&) {
      std::unique_lock lock(mutex_);
      ++begun_;
      changed_.wait(lock, [this] { return let_; });
      return TextResponse("stored");
    });
  }
  void TearDown() override {
    Let();
    if (server_) server_->Stop();  // its handlers use what goes here
  }

  // Three of its four workers take events; two more stand in line.
  static ServerOptions Options(std::chrono::milliseconds longest) {
    ServerOptions options;
    options.workers = 4;
    options.may_wait = [](const Message& message) { return message.target == "/event"; };
    options.max_waiting = 2;
    options.longest_wait = longest;
    return options;
  }
  void Let() {
    {
      const std::lock_guard lock(mutex_);
      let_ = true;
    }
    changed_.notify_all();
  }
  int begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }
  RawClient& SendEvent() {
    clients_.push_back(std::make_unique<RawClient>(port()));
    clients_.back()->Send(kEvent);
    return *clients_.back();
  }
  // As many as run: before that they stand in line themselves.
  void FillWorkers() {
    for (int i = 0; i < 3; ++i) SendEvent();
    ASSERT_TRUE(Eventually([this] { return begun() == 3; }));
  }
  // And as many as stand in line behind them.
  void Fill() {
    FillWorkers();
    for (int i = 0; i < 2; ++i) SendEvent();
    ASSERT_TRUE(Eventually([this] { return server_->CountWaiting() == 2; }));
  }

  std::mutex mutex_;  // guards begun_ and let_
  std::condition_variable changed_;
  int begun_ = 0;
  bool let_ = false;
  std::vector<std::unique_ptr<RawClient>> clients_;
};

TEST_F(ServerLineTest, WhatMayWaitLeavesAWorkerToAllOthersAndIsRefusedBeyondTheLine) {
  std::atomic<int> refused = 0;
  ServerOptions options = Options(std::chrono::hours(1));
  options.on_refused = [&](std::string_view why) {
    EXPECT_EQ(why, "line");
    ++refused;
  };
  Start(std::move(options));
  Fill();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Ask(kHello).status, 200) << "another request";
  const RawAnswer beyond = Ask(kEvent);
  EXPECT_EQ(beyond.status, 503);
  EXPECT_NE(beyond.body.find("overloaded"), std::string::npos);
  EXPECT_FALSE(beyond.Header("Retry-After").empty());
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(begun(), 3) << "nothing of it ran";
  Let();
  for (const auto& client : clients_) EXPECT_EQ(client->Receive()->status, 200);
  EXPECT_EQ(begun(), 5) << "those in line ran as well";
  EXPECT_EQ(server_->CountWaiting(), 0U);
  for (const auto& client : clients_) {
    client->Send(kEvent);
    EXPECT_EQ(client->Receive()->status, 200) << "their connections go on";
  }
}

TEST_F(ServerLineTest, WhatStandsInLineTooLongIsRefusedWithoutAWorker) {
  Start(Options(std::chrono::seconds(3)));
  FillWorkers();
  for (int i = 0; i < 2; ++i) SendEvent();
  std::vector<int> statuses(clients_.size());
  EXPECT_TRUE(Eventually([&] {
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      if (statuses[i] != 0) continue;
      const auto answer = clients_[i]->Receive(true, std::chrono::milliseconds(20));
      if (answer) statuses[i] = answer->status;
    }
    return std::ranges::count(statuses, 503) == 2;
  })) << "those in line";
  EXPECT_EQ(begun(), 3);
  EXPECT_EQ(server_->CountWaiting(), 0U);
  Let();
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    if (statuses[i] == 0) {
      EXPECT_EQ(clients_[i]->Receive()->status, 200);
    }
  }
}

TEST_F(ServerLineTest, AFaultWhereALateOneIsRefusedCostsItsConnectionAlone) {
  ServerOptions options = Options(std::chrono::seconds(3));
  options.on_refused = [](std::string_view) { throw std::bad_alloc(); };
  Start(std::move(options));
  Fill();
  EXPECT_TRUE(Eventually([&] {
    return server_->CountWaiting() == 0 && server_->CountConnections() == 3;
  })) << "those in line are gone";
  EXPECT_EQ(Ask(kHello).status, 200);
  Let();
}

TEST_F(ServerLineTest, AServerThatStopsForgetsWhoStandsInLine) {
  Start(Options(std::chrono::hours(1)));
  Fill();
  Let();
  server_->Stop();
  EXPECT_LE(begun(), 5);
}

}  // namespace
}  // namespace writ::bot
