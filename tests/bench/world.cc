#include "tests/bench/world.h"

#include <algorithm>
#include <future>
#include <stdexcept>
#include <utility>

#include "bot/auth/token.h"
#include "connectors/http/percent.h"
#include "tests/bench/webhook.h"

namespace writ::bench {
namespace {

using router::Json;

constexpr std::chrono::seconds kLongestWait{180};
constexpr int kChatWorkers = 8;
constexpr const char* kAnya = "anya-1";

bot::ChatServerOptions ChatOptions() {
  bot::ChatServerOptions options;
  options.keys = {kApiKey, kApiSecret};
  options.workers = kChatWorkers;
  return options;
}

}  // namespace

World::World(const connectors::CurlEnvironment& curl)
    : http_(curl),
      chat_(ChatOptions(), http_, clock_, log_),
      anyas_token_(bot::MakeToken(Json::MakeObject({{"user_id", kAnya}}), kApiSecret)),
      backends_token_(bot::MakeToken(Json::MakeObject({{"server", true}}), kApiSecret)) {
  chat_.world().AddUser(kAnya, "Anya");
  chat_.world().AddUser(kAgentUser, "Writ");
  tests::McpStubTool echo;
  echo.name = "echo";
  echo.description = "Says it again";
  echo.schema =
      R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})";
  echo.run = [this](const tests::McpCall& call) -> tests::McpStubAnswer {
    const auto now = Steady::now();
    {
      const std::lock_guard lock(mutex_);
      arrivals_.emplace(call.idempotency_key, now);
    }
    arrived_.notify_all();
    return {tests::McpStubAnswer::Kind::kText, "Echo", 0};
  };
  crm_.SetTool(std::move(echo));
}

NodeSetup World::SetupIn(const std::filesystem::path& folder) const {
  return {folder, chat_.url(), crm_.url(), {}};
}

World::Answered World::AnswerTurns(const NodeUnderLoad& node, std::size_t count,
                                   std::size_t connections) {
  const std::vector<std::string> channels = NewChannels(count);
  const auto start = Steady::now();
  Answered answered;
  answered.turns = count;
  answered.webhooks = Write(node, channels, connections, "we start at nine");
  for (const std::string& channel : channels) (void)AwaitFace(channel, "completed");
  answered.took = Steady::now() - start;
  return answered;
}

void World::AnswerTurns(const std::vector<const NodeUnderLoad*>& nodes, std::size_t count,
                        std::size_t connections) {
  const std::vector<std::string> channels = NewChannels(count);
  std::vector<std::future<LoadResult>> written;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::vector<std::string> share;
    for (std::size_t k = i; k < channels.size(); k += nodes.size()) share.push_back(channels[k]);
    written.push_back(std::async(
        std::launch::async, [this, share, node = nodes[i], each = connections / nodes.size()] {
          return Write(*node, share, std::max<std::size_t>(each, 1), "we start at nine");
        }));
  }
  for (auto& one : written) (void)one.get();
  for (const std::string& channel : channels) (void)AwaitFace(channel, "completed");
}

std::vector<Held> World::HoldCalls(const NodeUnderLoad& node, std::size_t count) {
  constexpr std::size_t kConnections = 8;
  const std::vector<std::string> channels = NewChannels(count);
  (void)Write(node, channels, kConnections, "echo my shift");
  std::vector<Held> held;
  held.reserve(count);
  for (const std::string& channel : channels) held.push_back(HeldIn(channel));
  return held;
}

Held World::HoldCallIn(const NodeUnderLoad& node, const std::string& channel) {
  chat_.world().AddChannel(channel, {kAnya, kAgentUser});
  (void)Write(node, {channel}, 1, "echo my shift");
  return HeldIn(channel);
}

Held World::HeldIn(const std::string& channel) {
  const Json face = AwaitFace(channel, "awaiting_approval");
  const Json& step = face.Find("attachments")->array().at(0);
  return {channel, step.TextAt("id"), step.TextAt("request_id")};
}

std::string World::GetBytes(const std::string& path, bool as_backend) const {
  return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: " + kApiKey +
         "\r\nAuthorization: " + (as_backend ? backends_token_ : anyas_token_) + "\r\n\r\n";
}

std::vector<double> World::MembershipLatencies(const std::string& channel,
                                               double per_second) const {
  constexpr std::size_t kQuestions = 200;
  const Json payload = Json::MakeObject(
      {{"type", kAgentChannels},
       {"id", channel.substr(std::string(kAgentChannels).size() + 1)},
       {"filter_conditions", Json::MakeObject({{"id", Json::MakeObject({{"$eq", kAnya}})}})},
       {"sort", Json::MakeArray()},
       {"limit", 1}});
  const std::string request =
      std::string("GET /members?api_key=") + kApiKey +
      "&payload=" + connectors::PercentEncode(payload.Dump()) +
      " HTTP/1.1\r\nHost: 127.0.0.1\r\nStream-Auth-Type: jwt\r\nAuthorization: " + backends_token_ +
      "\r\n\r\n";
  LoadPlan plan;
  plan.port = std::stoi(chat_.url().substr(chat_.url().rfind(':') + 1));
  plan.connections = per_second > 0 ? 8 : 1;
  plan.per_second = per_second;
  plan.most = kQuestions;
  const LoadResult result = Drive(plan, [&](std::size_t) { return request; });
  result.MustAllBe(200);
  return result.Latencies();
}

std::string World::AnswerBytes(const Held& held) const {
  const Json body = Json::MakeObject(
      {{"tool_call_id", held.call_id}, {"request_id", held.approval_id}, {"allowed", true}});
  return PostBytes(
      "/v1/agents/conversations/" + held.channel + "/tool_approvals",
      std::string("X-Api-Key: ") + kApiKey + "\r\nAuthorization: " + anyas_token_ + "\r\n",
      body.Dump());
}

Steady::time_point World::ArrivalOf(const Held& held) {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait_for(lock, kLongestWait, [&] { return arrivals_.contains(held.call_id); })) {
    throw std::runtime_error("an allowed call did not arrive");
  }
  return arrivals_[held.call_id];
}

std::vector<std::string> World::NewChannels(std::size_t count) {
  std::vector<std::string> channels;
  for (std::size_t i = 0; i < count; ++i) {
    channels.push_back(std::string(kAgentChannels) + ":team-" + std::to_string(++channels_));
    chat_.world().AddChannel(channels.back(), {kAnya, kAgentUser});
  }
  return channels;
}

LoadResult World::Write(const NodeUnderLoad& node, const std::vector<std::string>& channels,
                        std::size_t connections, const std::string& text) const {
  const Webhook webhook;
  const std::size_t type = std::string(kAgentChannels).size() + 1;
  std::vector<std::string> requests;
  requests.reserve(channels.size());
  for (const std::string& channel : channels) {
    const std::string id = channel.substr(type);
    requests.push_back(webhook.Request(kAgentChannels, id, "message-" + id, text));
  }
  LoadPlan plan;
  plan.port = node.port();
  plan.connections = connections;
  plan.within = kLongestWait;
  plan.most = channels.size();
  LoadResult result = Drive(plan, [&](std::size_t n) { return requests[n]; });
  result.MustAllBe(200);
  return result;
}

Json World::AwaitFace(const std::string& cid, const std::string& state) {
  Json face;
  const bool came = chat_.WaitFor(
      [&] {
        for (const Json& message : chat_.world().Messages(cid)) {
          const Json* runtime = message.Find("support_runtime");
          if (runtime != nullptr && runtime->TextAt("state") == state) face = message;
        }
        return !face.IsNull();
      },
      kLongestWait);
  if (!came) throw std::runtime_error("no turn came to " + state + " in " + cid);
  return face;
}

}  // namespace writ::bench
