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
const std::string kSid = "SM0123456789abcdef0123456789abcdef";

SmsIntake Read(const Sample& sample) {
  return connectors::ReadTwilioDelivery(
      router::AppId("acme"), kSampleKeys,
      {sample.url, sample.body, sample.signature, sample.settings}, kNow);
}

SmsIntake ReadWhole(const FormFields& fields) {
  Sample sample;
  sample.url = kUrl;
  sample.body = connectors::FormBody(fields);
  sample.signature = connectors::TwilioSignature(kSampleToken, kUrl, fields);
  return Read(sample);
}

SmsIntake ReadForm(const FormFields& more) {
  FormFields fields = more;
  fields.emplace_back("MessageSid", kSid);
  return ReadWhole(fields);
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

TEST(TwilioIntake, ADeliveryThatCouldMeanTwoThingsIsNone) {
  for (const FormFields& twice :
       {FormFields{{"From", "+12025550143"}, {"From", "+12025550144"}, {"Body", "hi"}},
        FormFields{{"From", "+12025550143"}, {"Body", "hi"}, {"Body", "APPROVE 482193"}},
        FormFields{{"From", "+12025550143"}, {"Body", "hi"}, {"MessageSid", kSid}}}) {
    EXPECT_EQ(std::get<TwilioRefusal>(ReadForm(twice)), TwilioRefusal::kMalformed);
  }
}

TEST(TwilioIntake, ASignedDeliveryThatIsCutAnewIsNoOtherMessage) {
  // The same text is signed, whatever of it is name and what is value.
  const FormFields whole{
      {"Body", "hi"}, {"From", "+12025550143"}, {"MessageSid", kSid}, {"NumMedia", "0"}};
  FormFields cut = whole;
  cut[2].second = kSid.substr(0, 12);  // what is left begins behind `MessageSid`
  cut[3] = {kSid.substr(12) + "NumMedia", "0"};
  ASSERT_EQ(connectors::TwilioSignature(kSampleToken, kUrl, cut),
            connectors::TwilioSignature(kSampleToken, kUrl, whole));
  EXPECT_TRUE(std::holds_alternative<ChannelEvent>(ReadWhole(whole)));
  EXPECT_EQ(std::get<TwilioRefusal>(ReadWhole(cut)), TwilioRefusal::kMalformed);
}

TEST(TwilioIntake, WhatNobodySendsIsRefusedBeforeItCostsMuch) {
  FormFields fields{{"From", "+12025550143"}, {"Body", "hi"}, {"MessageSid", kSid}};
  for (int i = 0; i < 1000; ++i) fields.emplace_back("X", std::to_string(i));
  EXPECT_EQ(std::get<TwilioRefusal>(ReadWhole(fields)), TwilioRefusal::kBadSignature);
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
