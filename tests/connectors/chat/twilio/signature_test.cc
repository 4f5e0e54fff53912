#include "connectors/chat/twilio/signature.h"

#include <gtest/gtest.h>

#include "tests/connectors/chat/twilio/twilio_samples.h"

namespace writ::tests {

using connectors::FormFields;
using connectors::IsSignedByTwilio;
using connectors::ParseForm;

TEST(TwilioSignature, TakesWhatTwiliosLibraryTakesAndNothingElse) {
  int good = 0;
  for (const Sample& sample : TwilioSamples()) {
    if (sample.has_settings) continue;
    ++good;
    FormFields fields = ParseForm(sample.body).value();
    EXPECT_TRUE(IsSignedByTwilio(kSampleToken, sample.url, fields, sample.signature)) << sample.url;
    EXPECT_FALSE(IsSignedByTwilio("another", sample.url, fields, sample.signature));
    EXPECT_FALSE(IsSignedByTwilio("", sample.url, fields, sample.signature));
    EXPECT_FALSE(IsSignedByTwilio(kSampleToken, sample.url, fields, ""));
    EXPECT_FALSE(IsSignedByTwilio(kSampleToken, sample.url + "x", fields, sample.signature));
    fields.emplace_back("New", "");
    EXPECT_FALSE(IsSignedByTwilio(kSampleToken, sample.url, fields, sample.signature));
  }
  EXPECT_EQ(good, 5);
}

TEST(TwilioSignature, IsTheSameWithAndWithoutThePort) {
  const FormFields fields{{"Body", "hi"}};
  const std::string plain = "https://writ.example.com/hook?a=b:c";
  const std::string with_port = "https://writ.example.com:443/hook?a=b:c";
  const auto sign = [&](const std::string& url) {
    return connectors::TwilioSignature(kSampleToken, url, fields);
  };
  EXPECT_TRUE(IsSignedByTwilio(kSampleToken, plain, fields, sign(with_port)));
  EXPECT_TRUE(IsSignedByTwilio(kSampleToken, with_port, fields, sign(plain)));
  EXPECT_FALSE(IsSignedByTwilio(kSampleToken, plain, fields, sign("http://writ.example.com/hook")));
}

TEST(TwilioSignature, SortsByNameAndCountsARepeatedValueOnce) {
  const std::string url = "https://writ.example.com/hook";
  const auto sign = [&](const FormFields& fields) {
    return connectors::TwilioSignature(kSampleToken, url, fields);
  };
  EXPECT_EQ(sign({{"b", "2"}, {"a", "1"}}), sign({{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(sign({{"a", "2"}, {"a", "1"}, {"a", "2"}}), sign({{"a", "1"}, {"a", "2"}}));
}

}  // namespace writ::tests
