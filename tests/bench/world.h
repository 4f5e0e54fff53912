#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "bot/demo/chat/chat_server.h"
#include "bot/process/system_clock.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "tests/bench/load.h"
#include "tests/bench/node_under_load.h"
#include "tests/support/mcp_stub.h"
#include "tests/support/recording_log.h"

namespace writ::bench {

// A call that a node holds: what its answer must name.
struct Held {
  std::string channel;  // the cid
  std::string call_id;
  std::string approval_id;
};

// Whom a node talks to, in this process: the embedded chat and a CRM. It outlives its nodes.
class World {
 public:
  explicit World(const connectors::CurlEnvironment& curl);

  [[nodiscard]] NodeSetup SetupIn(const std::filesystem::path& folder) const;

  // Anya writes in so many channels of their own, which begin to exist, and the node answers each;
  // returns when the channels show it. At most `per_second` messages.
  struct Answered {
    std::size_t turns = 0;
    std::chrono::duration<double> took{};  // until the last one's reply was there
    LoadResult webhooks;
  };
  Answered AnswerTurns(const NodeUnderLoad& node, std::size_t count, std::size_t connections);
  // The parts of it: channels that begin to exist; a message of Anya's in each, where every request
  // is written down before the clock runs; and the agent's message in one of them, once its state
  // is that one.
  std::vector<std::string> NewChannels(std::size_t count);
  LoadResult Write(const NodeUnderLoad& node, const std::vector<std::string>& channels,
                   std::size_t connections, const std::string& text) const;
  [[nodiscard]] router::Json AwaitFace(const std::string& cid, const std::string& state);
  // The same through several nodes, each of which gets its share of the messages at the same time.
  void AnswerTurns(const std::vector<const NodeUnderLoad*>& nodes, std::size_t count,
                   std::size_t connections);

  // The same with words that make the model call crm__echo: the calls, held.
  std::vector<Held> HoldCalls(const NodeUnderLoad& node, std::size_t count);
  // In that channel, which begins to exist.
  Held HoldCallIn(const NodeUnderLoad& node, const std::string& channel);

  // Anya's answer: allowed.
  [[nodiscard]] std::string AnswerBytes(const Held& held) const;

  // A GET of Writ's API, as Anya or as the app's backend.
  [[nodiscard]] std::string GetBytes(const std::string& path, bool as_backend) const;

  // Milliseconds that the chat itself takes to say whether Anya is a member, over kept connections
  // at so many a second: of what an answer takes, this is not the node's.
  [[nodiscard]] std::vector<double> MembershipLatencies(const std::string& channel,
                                                        double per_second) const;

  // When the call's request was there; waits for it.
  // throws  std::runtime_error where it does not come
  [[nodiscard]] Steady::time_point ArrivalOf(const Held& held);

 private:
  [[nodiscard]] Held HeldIn(const std::string& channel);

  bot::SystemClock clock_;
  tests::RecordingLog log_;
  connectors::CurlLoop http_;
  bot::ChatServer chat_;
  tests::McpStub crm_;
  std::string anyas_token_;
  std::string backends_token_;
  std::size_t channels_ = 0;

  std::mutex mutex_;  // guards arrivals_
  std::condition_variable arrived_;
  std::map<std::string, Steady::time_point> arrivals_;  // by call id
};

}  // namespace writ::bench
