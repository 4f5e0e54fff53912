#include "tests/support/platforms/twilio_emulator.h"

#include <algorithm>
#include <iterator>

#include "connectors/chat/twilio/signature.h"
#include "connectors/chat/twilio/sms_words.h"

namespace writ::tests {

using connectors::CarrierWord;
using connectors::FormFields;
using router::Json;

TwilioEmulator::TwilioEmulator() {
  server_ = std::make_unique<bot::Server>(
      bot::ServerOptions{}, [this](const bot::Request& request) { return Answer(request); }, log_);
  server_->Start();
  teller_ = std::jthread([this](const std::stop_token& stop) { TellAll(stop); });
}

TwilioEmulator::~TwilioEmulator() {
  teller_.request_stop();
  teller_.join();
  server_->Stop();
}

Json TwilioEmulator::PlatformConfig() const {
  return Json::MakeObject({{"kind", "twilio"},
                           {"account_sid", kAccount},
                           {"auth_token", kToken},
                           {"from", kNumber},
                           {"base_url", "http://127.0.0.1:" + std::to_string(server_->port())}});
}

void TwilioEmulator::SetHook(int port) {
  const std::lock_guard lock(mutex_);
  hook_port_ = port;
}

std::string TwilioEmulator::Write(const std::string& number, const std::string& text, bool tells,
                                  const FormFields& more) {
  const std::lock_guard lock(mutex_);
  std::string sid = std::to_string(++last_sid_);
  sid = "SM" + std::string(32 - sid.size(), '0') + sid;
  FormFields fields{{"ToCountry", "US"},
                    {"SmsMessageSid", sid},
                    {"NumMedia", "0"},
                    {"FromCity", ""},
                    {"SmsSid", sid},
                    {"SmsStatus", "received"},
                    {"Body", text},
                    {"To", kNumber},
                    {"NumSegments", "1"},
                    {"MessageSid", sid},
                    {"AccountSid", kAccount},
                    {"From", number},
                    {"ApiVersion", "2010-04-01"}};
  for (const auto& field : more) {
    std::erase_if(fields, [&](const auto& one) { return one.first == field.first; });
    fields.push_back(field);
  }
  const auto word = connectors::CarrierWordOf(text);
  if (word == CarrierWord::kStop) opted_out_.insert(number);
  if (word == CarrierWord::kStart || word == CarrierWord::kYes) opted_out_.erase(number);
  bodies_.emplace_back(sid, connectors::FormBody(fields));
  if (tells) to_tell_.push_back(bodies_.back().second);
  changed_.notify_all();
  return sid;
}

std::string TwilioEmulator::BodyOf(const std::string& sid) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [one, body] : bodies_) {
    if (one == sid) return body;
  }
  return "";
}

std::string TwilioEmulator::SignatureOf(const std::string& body) {
  return connectors::TwilioSignature(kToken, std::string(kPublicUrl) + kPath,
                                     connectors::ParseForm(body).value());
}

ApiReply TwilioEmulator::Deliver(const std::string& body) const {
  return DeliverSigned(body, SignatureOf(body));
}

ApiReply TwilioEmulator::DeliverSigned(const std::string& body,
                                       const std::string& signature) const {
  int port = 0;
  {
    const std::lock_guard lock(mutex_);
    port = hook_port_;
  }
  return Send(
      port, "POST", kPath,
      {{"Content-Type", "application/x-www-form-urlencoded"}, {"X-Twilio-Signature", signature}},
      body);
}

void TwilioEmulator::TellAll(const std::stop_token& stop) {
  while (true) {
    std::string body;
    {
      std::unique_lock lock(mutex_);
      is_telling_ = false;
      changed_.notify_all();
      if (!changed_.wait(lock, stop, [&] { return !to_tell_.empty(); })) return;
      body = std::move(to_tell_.front());
      to_tell_.pop_front();
      is_telling_ = true;
    }
    const ApiReply reply = Deliver(body);
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::to_string(reply.status) + ' ' + reply.body);
  }
}

void TwilioEmulator::WaitUntilTold() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return to_tell_.empty() && !is_telling_; });
}

std::vector<TwilioEmulator::Sms> TwilioEmulator::SentTo(const std::string& number) const {
  const std::lock_guard lock(mutex_);
  std::vector<Sms> sent;
  std::ranges::copy_if(sent_, std::back_inserter(sent),
                       [&](const Sms& sms) { return sms.number == number; });
  return sent;
}

std::vector<FormFields> TwilioEmulator::Calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::vector<std::pair<FormFields, std::string>> TwilioEmulator::Looks() const {
  const std::lock_guard lock(mutex_);
  return looks_;
}

int TwilioEmulator::Refusals() const {
  const std::lock_guard lock(mutex_);
  return refusals_;
}

std::vector<std::string> TwilioEmulator::Answers() const {
  const std::lock_guard lock(mutex_);
  return answers_;
}

void TwilioEmulator::Order(const std::string& number, const Fault& fault, int times) {
  const std::lock_guard lock(mutex_);
  faulty_number_ = number;
  fault_ = fault;
  faults_left_ = times;
}

void TwilioEmulator::OrderLooks(int times) {
  const std::lock_guard lock(mutex_);
  look_faults_left_ = times;
}

void TwilioEmulator::PassMinute() {
  constexpr std::time_t kMinute = 60;
  const std::lock_guard lock(mutex_);
  for (Sms& sms : sent_) sms.taken_at -= kMinute;
}

void TwilioEmulator::Clear() {
  const std::lock_guard lock(mutex_);
  faults_left_ = 0;
  look_faults_left_ = 0;
}

}  // namespace writ::tests
