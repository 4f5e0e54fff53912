#include "tests/support/platforms/twilio_emulator.h"

#include <algorithm>
#include <iterator>
#include <regex>

#include "connectors/chat/twilio/signature.h"
#include "connectors/chat/twilio/sms_words.h"
#include "router/base/base64.h"
#include "router/base/text.h"

namespace writ::tests {

using connectors::CarrierWord;
using connectors::FormFields;
using router::Json;

namespace {

constexpr std::size_t kLongestBody = 1600;

std::string FieldOf(const FormFields& fields, std::string_view name) {
  const std::string* value = connectors::FindField(fields, name);
  return value == nullptr ? "" : *value;
}

bot::Response Refused(int status, int code) {
  bot::Response response = bot::JsonResponse(
      status, Json::MakeObject({{"code", Json(code)},
                                {"message", "refused"},
                                {"more_info", "https://www.twilio.com/docs/errors"},
                                {"status", Json(status)}}));
  return response;
}

}  // namespace

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

void TwilioEmulator::Clear() {
  const std::lock_guard lock(mutex_);
  faults_left_ = 0;
}

bot::Response TwilioEmulator::Answer(const bot::Request& request) {
  const std::string path = std::string("/2010-04-01/Accounts/") + kAccount + "/Messages.json";
  const std::string credentials =
      "Basic " + router::Base64Encode(std::string(kAccount) + ':' + kToken);
  const std::string* authorization = request.Header("authorization");
  if (authorization == nullptr || *authorization != credentials) return Refused(401, 20003);
  if (request.method != "POST" || request.target != path) return Refused(404, 20404);
  const FormFields fields = connectors::ParseForm(request.body).value_or(FormFields{});
  const std::string to = FieldOf(fields, "To");
  const std::string body = FieldOf(fields, "Body");

  const std::lock_guard lock(mutex_);
  const bool has_fault = faults_left_ > 0 && to == faulty_number_;
  if (has_fault) --faults_left_;
  if (has_fault && !fault_.happens_all_the_same) {
    bot::Response response = Refused(fault_.status, fault_.code);
    if (!fault_.retry_after.empty()) {
      response.headers.emplace_back("Retry-After", fault_.retry_after);
    }
    return response;
  }
  if (FieldOf(fields, "From") != kNumber) return Refused(400, 21606);
  if (!std::regex_match(to, std::regex("[+][0-9]{2,15}"))) return Refused(400, 21211);
  if (router::CountCharacters(body) > kLongestBody) return Refused(400, 21617);
  if (body.empty()) return Refused(400, 21602);
  if (opted_out_.contains(to)) {
    ++refusals_;
    return Refused(400, 21610);
  }
  sent_.push_back({to, body});
  calls_.push_back(fields);
  if (has_fault) return Refused(fault_.status, fault_.code);
  return bot::JsonResponse(201, Json::MakeObject({{"sid", "SM" + std::string(32, 'a')},
                                                  {"status", "queued"},
                                                  {"body", body},
                                                  {"to", to}}));
}

}  // namespace writ::tests
