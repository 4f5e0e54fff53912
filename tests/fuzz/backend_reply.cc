// What an app's own server answers to a question: signed as Standard Webhooks has it.
#include <chrono>
#include <string>

#include "connectors/backend/webhook_signature.h"
#include "router/base/base64.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

constexpr router::TimePoint kNow{std::chrono::seconds{1795944600}};
constexpr std::string_view kKey = "0123456789abcdef0123456789abcdef";

bool IsTaken(const router::HttpHeaders& headers, std::string_view body) {
  const router::HttpResponse response{200, headers, std::string(body)};
  return !connectors::WhyNotSigned(kKey, "msg_1", kNow, response);
}

// The first line is the signature's header, or a secret; the rest is the body.
void Fuzz(std::string_view input) {
  const auto [first, body] = AtLineEnd(input);
  router::HttpHeaders headers = connectors::WebhookHeaders(kKey, "msg_1", kNow, body);
  Require(IsTaken(headers, body), "what was signed is taken");
  Require(!IsTaken(headers, std::string(body) + " "), "another body is not");
  Require(!IsTaken(connectors::WebhookHeaders(kKey, "msg_2", kNow, body), body),
          "an answer to another question is not");
  const auto later = kNow + std::chrono::seconds(301);
  Require(!IsTaken(connectors::WebhookHeaders(kKey, "msg_1", later, body), body),
          "a time far from now is not");
  std::string right;
  for (auto& [name, value] : headers) {
    if (name != "webhook-signature") continue;
    right = value;
    value = first;
  }
  // One of several signatures is enough, so the right one may stand among others.
  Require(!IsTaken(headers, body) || first.find(right) != std::string_view::npos,
          "a signature can't be guessed");
  for (auto& [name, value] : headers) {
    if (name == "webhook-signature") value = right;
    if (name == "webhook-timestamp") value = first;
  }
  Require(!IsTaken(headers, body) || first == "1795944600", "the time is signed with it");
  if (const auto key = connectors::WebhookKeyOf(first)) {
    Require(!key->empty(), "a secret that is a key has bytes");
  }
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(backend_reply, writ::fuzz::Fuzz)
