#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "connectors/chat/slack/intake.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::tests {

// The recorded deliveries with the signatures that Bolt accepts (tests/data/samples/README.md).
inline constexpr const char* kSampleSecret = "writ-slack-test-signing-secret";
inline const router::TimePoint kSampleNow{std::chrono::seconds{1795944602}};

inline std::string SampleText(const std::string& name) {
  std::ifstream file("tests/data/samples/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("no sample " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Sample {
  std::string body;
  std::string timestamp;
  std::string signature;

  [[nodiscard]] connectors::SlackDelivery delivery() const { return {body, signature, timestamp}; }
};

inline Sample SlackSample(const std::string& file) {
  const router::Json all = *router::ParseJson(SampleText("signatures.json")).value;
  for (const router::Json& entry : all.Find("slack")->array()) {
    if (entry.TextAt("file") != "slack/" + file) continue;
    const router::Json& headers = *entry.Find("headers");
    return {SampleText("slack/" + file), headers.TextAt("X-Slack-Request-Timestamp"),
            headers.TextAt("X-Slack-Signature")};
  }
  throw std::runtime_error("no signature of " + file);
}

inline connectors::SlackIntake ReadSample(const std::string& file) {
  const Sample sample = SlackSample(file);
  return connectors::ReadSlackDelivery(router::AppId("acme"), kSampleSecret, sample.delivery(),
                                       kSampleNow);
}

}  // namespace writ::tests
