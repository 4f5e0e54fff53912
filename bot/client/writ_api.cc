#include "bot/client/writ_api.h"

#include <chrono>
#include <future>
#include <memory>
#include <variant>

namespace writ::bot {

// A membership may take 3 s.
constexpr std::chrono::seconds kLongestWait{10};

WritAnswer WritApi::Get(const std::string& target, router::HttpHeaders headers) {
  router::HttpRequest request;
  request.url = url_ + target;
  request.headers = std::move(headers);
  return Wait(std::move(request));
}

WritAnswer WritApi::Post(const std::string& target, router::HttpHeaders headers, std::string body) {
  router::HttpRequest request;
  request.method = "POST";
  request.url = url_ + target;
  request.headers = std::move(headers);
  request.body = std::move(body);
  return Wait(std::move(request));
}

WritAnswer WritApi::Wait(router::HttpRequest request) {
  request.timeout = kLongestWait;
  auto promise = std::make_shared<std::promise<router::HttpOutcome>>();
  auto outcome = promise->get_future();
  http_.Send(std::move(request), {},
             [promise](router::HttpOutcome ended) { promise->set_value(std::move(ended)); });
  router::HttpOutcome ended = outcome.get();  // comes for sure: the request has a timeout
  if (const auto* failure = std::get_if<router::HttpFailure>(&ended)) return {0, "", failure->what};
  auto& response = std::get<router::HttpResponse>(ended);
  const std::string* type = response.Header("content-type");
  return {response.status, type == nullptr ? "" : *type, std::move(response.body)};
}

}  // namespace writ::bot
