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
    if (sample.settings) continue;
    ++good;
    FormFields fields = ParseForm(sample.body).value();
    EXPECT_TRUE(IsSignedByTwilio(kSampleKeys, sample.url, fields, sample.signature)) << sample.url;
    EXPECT_FALSE(IsSignedByTwilio({"another", {}}, sample.url, fields, sample.signature));
    EXPECT_FALSE(IsSignedByTwilio({}, sample.url, fields, sample.signature));
    EXPECT_FALSE(IsSignedByTwilio(kSampleKeys, sample.url, fields, ""));
    EXPECT_FALSE(IsSignedByTwilio(kSampleKeys, sample.url + "x", fields, sample.signature));
    fields.emplace_back("New", "");
    EXPECT_FALSE(IsSignedByTwilio(kSampleKeys, sample.url, fields, sample.signature));
  }
  EXPECT_EQ(good, 5);
}

TEST(TwilioSignature, WithSettingsIsTheNamedSharedKeysOrNobodys) {
  int good = 0;
  for (const Sample& sample : TwilioSamples()) {
    if (!sample.settings) continue;
    ++good;
    const FormFields fields = ParseForm(sample.body).value();
    const auto is_signed = [&](const connectors::TwilioKeys& keys, std::string_view settings) {
      return IsSignedByTwilio(keys, sample.url, fields, sample.signature, settings);
    };
    EXPECT_TRUE(is_signed(kSampleKeys, *sample.settings));
    EXPECT_TRUE(is_signed(kSampleKeys, "algorithm=HMAC_SHA256, key=webhooks_sharedkey_test"));
    EXPECT_FALSE(is_signed({kSampleToken, {}}, *sample.settings)) << "no shared key";
    EXPECT_FALSE(is_signed({kSampleSecret, {}}, *sample.settings));
    EXPECT_FALSE(is_signed({kSampleToken, {{"webhooks_sharedkey_test", ""}}}, *sample.settings));
    EXPECT_FALSE(IsSignedByTwilio(kSampleKeys, sample.url, fields, sample.signature));
    for (const char* settings :
         {"", "key=webhooks_sharedkey_test", "algorithm=HMAC_SHA256",
          "key=another,algorithm=HMAC_SHA256", "key=webhooks_sharedkey_test,algorithm=HMAC_SHA1",
          "key=webhooks_sharedkey_test,algorithm=hmac_sha256",
          "key=webhooks_sharedkey_test,algorithm=HMAC_SHA256,algorithm=HMAC_SHA256",
          "key=webhooks_sharedkey_test,algorithm=HMAC_SHA256,more=1", "key", ",,,"}) {
      EXPECT_FALSE(is_signed(kSampleKeys, settings)) << settings;
      const std::string by_token =
          connectors::TwilioSignature(kSampleToken, sample.url, fields);  // never the token instead
      EXPECT_FALSE(IsSignedByTwilio(kSampleKeys, sample.url, fields, by_token, settings));
    }
  }
  EXPECT_EQ(good, 1);
}

TEST(TwilioSignature, IsTheSameWithAndWithoutThePort) {
  const FormFields fields{{"Body", "hi"}};
  const std::string plain = "https://writ.example.com/hook?a=b:c";
  const std::string with_port = "https://writ.example.com:443/hook?a=b:c";
  const auto sign = [&](const std::string& url) {
    return connectors::TwilioSignature(kSampleToken, url, fields);
  };
  EXPECT_TRUE(IsSignedByTwilio(kSampleKeys, plain, fields, sign(with_port)));
  EXPECT_TRUE(IsSignedByTwilio(kSampleKeys, with_port, fields, sign(plain)));
  EXPECT_FALSE(IsSignedByTwilio(kSampleKeys, plain, fields, sign("http://writ.example.com/hook")));
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
