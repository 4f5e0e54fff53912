#include "connectors/chat/slack/signature.h"

#include <gtest/gtest.h>

#include "router/base/digest.h"
#include "tests/connectors/chat/slack/slack_samples.h"

namespace writ::tests {

using connectors::IsSignedBySlack;
using connectors::SlackDelivery;
using std::chrono::seconds;

TEST(SlackSignature, TakesWhatBoltTakesAndNotOneByteMore) {
  for (const char* file :
       {"url_verification.json", "event_message.json", "event_message_changed.json",
        "block_actions.form.txt", "view_submission.form.txt"}) {
    Sample sample = SlackSample(file);
    EXPECT_TRUE(IsSignedBySlack(kSampleSecret, sample.delivery(), kSampleNow)) << file;
    EXPECT_FALSE(IsSignedBySlack("another secret", sample.delivery(), kSampleNow)) << file;
    EXPECT_FALSE(IsSignedBySlack("", sample.delivery(), kSampleNow)) << file;
    sample.body += '\n';
    EXPECT_FALSE(IsSignedBySlack(kSampleSecret, sample.delivery(), kSampleNow)) << file;
  }
}

TEST(SlackSignature, IsWorthFiveMinutesEitherWay) {
  const Sample sample = SlackSample("event_message.json");
  const router::TimePoint signed_at{seconds{1795944600}};
  for (const int apart : {-300, 0, 300}) {
    EXPECT_TRUE(IsSignedBySlack(kSampleSecret, sample.delivery(), signed_at + seconds(apart)));
  }
  for (const int apart : {-301, 301, 86400}) {
    EXPECT_FALSE(IsSignedBySlack(kSampleSecret, sample.delivery(), signed_at + seconds(apart)));
  }
}

TEST(SlackSignature, NeedsAPlainTimeStampAndItsVersion) {
  const auto sign = [](const std::string& timestamp) {
    return "v0=" + router::HmacSha256Hex(kSampleSecret, "v0:" + timestamp + ":{}");
  };
  for (const char* timestamp :
       {"", "+1795944600", "1795944600.0", " 1795944600", "-1", "1e9", "99999999999999999999"}) {
    const std::string signature = sign(timestamp);
    EXPECT_FALSE(IsSignedBySlack(kSampleSecret, {"{}", signature, timestamp}, kSampleNow))
        << timestamp;
  }
  std::string signature = sign("1795944600");
  EXPECT_TRUE(IsSignedBySlack(kSampleSecret, {"{}", signature, "1795944600"}, kSampleNow));
  signature.replace(0, 2, "v1");
  EXPECT_FALSE(IsSignedBySlack(kSampleSecret, {"{}", signature, "1795944600"}, kSampleNow));
  EXPECT_FALSE(IsSignedBySlack(kSampleSecret, {"{}", "", "1795944600"}, kSampleNow));
}

}  // namespace writ::tests
