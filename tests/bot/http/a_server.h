#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bot/http/route_table.h"
#include "bot/http/server.h"
#include "tests/support/raw_client.h"
#include "tests/support/recording_log.h"

namespace writ::bot {

using tests::RawAnswer;
using tests::RawClient;
using tests::RecordingLog;

inline Response TextResponse(std::string text) {
  Response response;
  response.content_type = "text/plain";
  response.body = std::move(text);
  return response;
}

// A server with a few routes; `/secret` counts what must never run by another's body.
class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    table_.Add("GET", "/hello", [](const Request&) { return TextResponse("hello"); });
    table_.Add("POST", "/echo", [](const Request& request) { return TextResponse(request.body); });
    table_.Add("DELETE", "/thing", [](const Request&) { return NoContent(); });
    table_.Add("GET", "/secret", [this](const Request&) {
      ++secrets_;
      return TextResponse("secret");
    });
    table_.Add("GET", "/header", [](const Request& request) {
      const std::string* value = request.Header("x-note");
      return TextResponse((value == nullptr ? "" : *value) + "|" + request.remote_addr);
    });
  }

  Server& Start(ServerOptions options = {}) {
    server_ = std::make_unique<Server>(
        std::move(options), [this](Request r) { return table_.Handle(std::move(r)); }, log_);
    server_->Start();
    return *server_;
  }
  [[nodiscard]] int port() const { return server_->port(); }

  // The answer to one request on a connection of its own.
  RawAnswer Ask(std::string_view request) {
    RawClient client(port());
    client.Send(request);
    return client.Receive().value_or(RawAnswer{});
  }

  RecordingLog log_;
  RouteTable table_{log_};
  std::atomic<int> secrets_ = 0;
  std::unique_ptr<Server> server_;
};

inline constexpr std::string_view kHello = "GET /hello HTTP/1.1\r\nHost: writ\r\n\r\n";

inline std::string Post(std::string_view body) {
  return "POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

}  // namespace writ::bot
