#pragma once

#include <cstddef>
#include <string>

namespace writ::bench {

// Deliveries of Stream's `message.new`, some 3 KB, from the sample in tests/data: each of a message
// of its own by Anya, written just now, signed with the app's secret.
class Webhook {
 public:
  Webhook();  // throws std::runtime_error where the sample is not there

  // The whole request. `id` is of the channel and without its type.
  [[nodiscard]] std::string Request(const std::string& channel_type, const std::string& id,
                                    const std::string& message_id, const std::string& text) const;

 private:
  std::string sample_;
};

// The path that Webhook's requests go to.
[[nodiscard]] std::string WebhookPath();

}  // namespace writ::bench
