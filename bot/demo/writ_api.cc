#include "bot/demo/writ_api.h"

#include <chrono>
#include <future>
#include <memory>
#include <variant>

namespace writ::bot {

// A membership may take 3 s.
constexpr std::chrono::seconds kLongestWait{10};

WritAnswer WritApi::Post(const std::string& target, router::HttpHeaders headers, std::string body) {
  router::HttpRequest request;
  request.method = "POST";
  request.url = url_ + target;
  request.headers = std::move(headers);
  request.body = std::move(body);
  request.timeout = kLongestWait;
  auto promise = std::make_shared<std::promise<router::HttpOutcome>>();
  auto outcome = promise->get_future();
  http_.Send(std::move(request), {},
             [promise](router::HttpOutcome ended) { promise->set_value(std::move(ended)); });
  const router::HttpOutcome ended = outcome.get();  // comes for sure: the request has a timeout
  const auto* response = std::get_if<router::HttpResponse>(&ended);
  if (response == nullptr) return {};
  const std::string* type = response->Header("content-type");
  return {response->status, type == nullptr ? "" : *type, response->body};
}

}  // namespace writ::bot
