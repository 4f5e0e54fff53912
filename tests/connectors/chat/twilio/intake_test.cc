#include "connectors/chat/twilio/intake.h"

#include <gtest/gtest.h>

#include "connectors/chat/twilio/signature.h"
#include "tests/connectors/chat/twilio/twilio_samples.h"

namespace writ::tests {

using connectors::FormFields;
using connectors::SmsIntake;
using connectors::TwilioRefusal;
using router::ChannelEvent;

namespace {

const router::TimePoint kNow{std::chrono::seconds{1795944602}};
const std::string kUrl = "https://writ.example.com/webhooks/twilio";

SmsIntake Read(const Sample& sample) {
  return connectors::ReadTwilioDelivery(
      router::AppId("acme"), kSampleKeys,
      {sample.url, sample.body, sample.signature, sample.settings}, kNow);
}

SmsIntake ReadForm(const FormFields& more) {
  FormFields fields = more;
  fields.emplace_back("MessageSid", "SM1");
  Sample sample;
  sample.url = kUrl;
  sample.body = connectors::FormBody(fields);
  sample.signature = connectors::TwilioSignature(kSampleToken, kUrl, fields);
  return Read(sample);
}

Sample SampleOf(const std::string& file) {
  for (Sample& sample : TwilioSamples()) {
    if (sample.file == file && sample.url == kUrl) return std::move(sample);
  }
  throw std::runtime_error("no sample " + file);
}

}  // namespace

TEST(TwilioIntake, AMessageIsItsNumbersInItsOwnConversation) {
  const auto read = Read(SampleOf("twilio/inbound_sms.form.txt"));
  const auto& event = std::get<ChannelEvent>(read);
  EXPECT_EQ(event.app.text(), "acme");
  EXPECT_EQ(event.cid.text(), "sms:+12025550143");
  EXPECT_EQ(event.author.text(), "sms:+12025550143");
  EXPECT_EQ(event.message.text(), "SMa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1");
  EXPECT_EQ(event.text, "can you check the crm for my shift? 50% + tax & tips");
  EXPECT_EQ(event.created_at, kNow);
  EXPECT_EQ(connectors::SmsChannelKey(event.cid), "+12025550143");
}

TEST(TwilioIntake, WordsBesidesAPictureAreRead) {
  const auto read = Read(SampleOf("twilio/inbound_mms.form.txt"));
  EXPECT_EQ(std::get<ChannelEvent>(read).text, "rota? 🙏 – café");
}

TEST(TwilioIntake, AnOptOutIsTheCarriers) {
  const auto read = Read(SampleOf("twilio/inbound_stop.form.txt"));
  EXPECT_EQ(std::get<connectors::SmsCarrierWord>(read).word, connectors::CarrierWord::kStop);
  // With words of one's own Twilio alone knows what they are.
  const auto own = ReadForm({{"From", "+12025550143"}, {"Body", "genug"}, {"OptOutType", "STOP"}});
  EXPECT_EQ(std::get<connectors::SmsCarrierWord>(own).word, connectors::CarrierWord::kStop);
}

TEST(TwilioIntake, WhatIsNotSignedByTheAccountIsRefused) {
  Sample sample = SampleOf("twilio/inbound_sms.form.txt");
  sample.body += "&Body=more";
  EXPECT_EQ(std::get<TwilioRefusal>(Read(sample)), TwilioRefusal::kBadSignature);
  for (const Sample& one : TwilioSamples()) {
    if (!one.settings) continue;
    EXPECT_TRUE(std::holds_alternative<ChannelEvent>(Read(one))) << "by its shared key";
    Sample without = one;
    without.settings.reset();
    EXPECT_EQ(std::get<TwilioRefusal>(Read(without)), TwilioRefusal::kBadSignature);
  }
  Sample settings = SampleOf("twilio/inbound_sms.form.txt");
  settings.settings = "key=webhooks_sharedkey_test,algorithm=HMAC_SHA256";
  EXPECT_EQ(std::get<TwilioRefusal>(Read(settings)), TwilioRefusal::kBadSignature)
      << "a good signature of the other kind is no way around it";
  EXPECT_EQ(std::get<TwilioRefusal>(ReadForm({{"Body", "hi"}})), TwilioRefusal::kMalformed);
}

TEST(TwilioIntake, WhatCannotBeAnsweredIsTold) {
  const auto picture = ReadForm({{"From", "+12025550143"}, {"Body", " "}, {"NumMedia", "1"}});
  EXPECT_EQ(std::get<connectors::SmsUnreadable>(picture).why,
            connectors::SmsUnreadable::Why::kNoWords);
  const auto group = ReadForm(
      {{"From", "+12025550143"}, {"Body", "APPROVE 482193"}, {"OtherRecipients0", "+12025550144"}});
  EXPECT_EQ(std::get<connectors::SmsUnreadable>(group).why, connectors::SmsUnreadable::Why::kGroup);
  for (const char* from : {"whatsapp:+12025550143", "12345", "+1202555x143", "+"}) {
    EXPECT_TRUE(
        std::holds_alternative<connectors::SmsIgnored>(ReadForm({{"From", from}, {"Body", "hi"}})))
        << from;
  }
}

TEST(TwilioIntake, ACodeIsAnAnswer) {
  const auto read = ReadForm({{"From", "+12025550143"}, {"Body", "deny 482193"}});
  const auto& code = std::get<connectors::SmsCode>(read);
  EXPECT_FALSE(code.answer.allowed);
  EXPECT_EQ(code.answer.code, "482193");
  EXPECT_EQ(code.from.number, "+12025550143");
}

}  // namespace writ::tests
