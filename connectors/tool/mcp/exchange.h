#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "connectors/http/sse_reader.h"
#include "connectors/tool/mcp/answer.h"
#include "connectors/tool/mcp/incoming.h"
#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::connectors {

// One JSON-RPC request over Streamable HTTP until its answer: as JSON or as an event stream,
// whichever the server chooses. Reading ends with the answer, not with the stream. A stream that
// ends before it is resumed where its events had ids: that asks for the answer, never for the work
// again. Lives as long as a callback of its is out; callbacks come one after the other.
// source: MCP 2025-11-25, basic/transports
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  struct Post {
    std::int64_t id = 0;
    std::string url;
    std::string body;
    router::HttpHeaders headers;  // all that each request of the session carries
    bool once = false;
    bool resumable = false;                    // where its events have ids
    std::chrono::milliseconds timeout{30000};  // of all of it
    std::chrono::milliseconds longest{0};      // where longer: with progress, up to here
    std::size_t max_response_bytes = 0;
  };
  using Done = std::function<void(McpAnswer)>;
  // What comes beside the answer: notifications, and requests of the server.
  using OnOther = std::function<void(const Incoming&)>;

  Exchange(router::HttpClient& http, const router::Clock& clock, Post post, OnOther on_other,
           std::stop_token stop, Done done);

  void Start();  // `done` is never called from within

 private:
  enum class Form { kJson, kEvents };

  void Send(router::HttpRequest request);
  void Resume();
  void TakeHead(int status, const router::HttpHeaders& headers);
  bool TakeBytes(std::string_view bytes);
  bool TakeText(std::string_view text);
  void End(router::HttpOutcome outcome);
  void EndOfBody();
  void ResumeOrGiveUp(const std::string& why);
  void TakeProgress();
  void WatchDeadline();
  [[nodiscard]] std::chrono::milliseconds Left() const;
  void Finish(McpAnswer::Kind kind, std::string what);

  router::HttpClient& http_;
  const router::Clock& clock_;
  const Post post_;
  const OnOther on_other_;
  // The caller's stop, or a deadline that passed without progress.
  std::stop_source stop_;
  const std::stop_callback<std::function<void()>> pass_on_stop_;
  const Done done_;
  router::SteadyPoint deadline_;
  const router::SteadyPoint last_deadline_;

  Form form_ = Form::kJson;
  std::string json_;
  SseReader events_;
  std::string last_event_id_;
  std::chrono::milliseconds retry_{1000};
  int resumed_ = 0;
  int asked_ = 0;  // by the server
  router::HttpHeaders headers_;
  std::optional<Incoming> answer_;
};

}  // namespace writ::connectors
