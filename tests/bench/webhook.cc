#include "tests/bench/webhook.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "bot/process/system_clock.h"
#include "router/base/digest.h"
#include "tests/bench/load.h"
#include "tests/bench/node_under_load.h"

namespace writ::bench {
namespace {

constexpr const char* kSample = "tests/data/samples/stream/message_new.json";

// What differs from one delivery to the next, as it stands in the sample.
constexpr std::string_view kMessageId = "8b0f7c1e-3a52-4d0e-9f56-0f6a1f0c7a11";
constexpr std::string_view kCid = "callouts:team-1";
constexpr std::string_view kChannel = R"("channel_type":"callouts","channel_id":"team-1")";
constexpr std::string_view kText = "can you check the crm for my shift? – thanks 🙏";
constexpr std::string_view kWritten = "2026-11-29T09:30:00.394479Z";
constexpr std::string_view kSent = "2026-11-29T09:30:00.460717068Z";

void Replace(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

}  // namespace

Webhook::Webhook() {
  std::ostringstream text;
  text << std::ifstream(kSample).rdbuf();
  sample_ = text.str();
  if (sample_.find(kMessageId) == std::string::npos) {
    throw std::runtime_error(std::string(kSample) +
                             " is not there: run from the repository's root");
  }
}

std::string Webhook::Request(const std::string& channel_type, const std::string& id,
                             const std::string& message_id, const std::string& text) const {
  const std::string now = router::FormatTime(bot::SystemClock().Now());
  std::string body = sample_;
  Replace(body, kMessageId, message_id);
  Replace(body, kCid, channel_type + ":" + id);
  Replace(body, kChannel, R"("channel_type":")" + channel_type + R"(","channel_id":")" + id + '"');
  Replace(body, kText, text);
  Replace(body, kWritten, now);
  Replace(body, kSent, now);
  return PostBytes(WebhookPath(),
                   "X-Signature: " + router::HmacSha256Hex(kApiSecret, body) + "\r\n", body);
}

std::string WebhookPath() { return std::string("/v1/hooks/") + kApp; }

}  // namespace writ::bench
