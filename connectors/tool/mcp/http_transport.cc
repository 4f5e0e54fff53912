#include "connectors/tool/mcp/http_transport.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "connectors/tool/mcp/exchange.h"

namespace writ::connectors {
namespace {

using router::HttpOutcome;
using router::HttpRequest;
using router::HttpResponse;

constexpr std::chrono::milliseconds kEndTimeout{5000};

std::string WhyNot(const HttpOutcome& outcome) {
  const auto* response = std::get_if<HttpResponse>(&outcome);
  if (response == nullptr) return std::get<router::HttpFailure>(outcome).what;
  const bool taken = response->status >= 200 && response->status < 300;
  return taken ? "" : "status " + std::to_string(response->status);
}

}  // namespace

void HttpTransport::Ask(Request request, OnOther on_other, std::stop_token stop, Done done) {
  Exchange::Post post;
  post.id = request.id;
  post.url = options_.url;
  post.body = std::move(request.message.body);
  post.headers = HeadersWith(request.message.headers);
  post.once = request.once;
  post.resumable = request.resumable;
  post.timeout = request.timeout;
  post.longest = request.longest;
  post.max_response_bytes = options_.max_response_bytes;
  const auto exchange = std::make_shared<Exchange>(
      http_, clock_, std::move(post), std::move(on_other), std::move(stop), std::move(done));
  exchange->Start();
}

void HttpTransport::Tell(Message message, std::chrono::milliseconds timeout, Told told) {
  HttpRequest request;
  request.method = "POST";
  request.url = options_.url;
  request.headers = HeadersWith(message.headers);
  request.headers.emplace_back("content-type", "application/json");
  request.headers.emplace_back("accept", "application/json, text/event-stream");
  request.body = std::move(message.body);
  request.timeout = timeout;
  http_.Send(std::move(request), {}, [told = std::move(told)](const HttpOutcome& outcome) {
    if (told) told(WhyNot(outcome));
  });
}

void HttpTransport::End(Message message, std::function<void()> ended) {
  HttpRequest request;
  request.method = "DELETE";
  request.url = options_.url;
  request.headers = HeadersWith(message.headers);
  request.timeout = kEndTimeout;
  http_.Send(std::move(request), {}, [ended = std::move(ended)](const HttpOutcome&) { ended(); });
}

router::HttpHeaders HttpTransport::HeadersWith(const router::HttpHeaders& others) const {
  router::HttpHeaders headers = options_.headers;
  headers.insert(headers.end(), others.begin(), others.end());
  return headers;
}

}  // namespace writ::connectors
