#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "connectors/chat/twilio/signature.h"
#include "router/base/json.h"

namespace writ::tests {

// The recorded deliveries with the signatures that Twilio's own library accepts
// (tests/data/samples/README.md).
inline constexpr const char* kSampleToken = "writ-twilio-test-auth-token";
inline constexpr const char* kSampleKey = "webhooks_sharedkey_test";
inline constexpr const char* kSampleSecret = "writ-twilio-test-shared-key";
inline const connectors::TwilioKeys kSampleKeys{kSampleToken, {{kSampleKey, kSampleSecret}}};

inline std::string SampleText(const std::string& name) {
  std::ifstream file("tests/data/samples/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("no sample " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Sample {
  std::string file;
  std::string url;
  std::string body;
  std::string signature;
  std::optional<std::string> settings;
};

// The forms; what is signed with a shared key has settings.
inline std::vector<Sample> TwilioSamples() {
  std::vector<Sample> samples;
  const router::Json all = *router::ParseJson(SampleText("signatures.json")).value;
  for (const router::Json& entry : all.Find("twilio")->array()) {
    const router::Json& headers = *entry.Find("headers");
    const std::string file = entry.TextAt("file");
    if (!file.ends_with(".form.txt")) continue;
    samples.push_back({file, entry.TextAt("url"), SampleText(file),
                       headers.TextAt("X-Twilio-Signature"), std::nullopt});
    if (headers.Find("X-Twilio-Webhooks-Signature-Settings") != nullptr) {
      samples.back().settings = headers.TextAt("X-Twilio-Webhooks-Signature-Settings");
    }
  }
  return samples;
}

}  // namespace writ::tests
