#include "connectors/chat/twilio/sms_client.h"

#include <chrono>

#include "connectors/chat/twilio/sms_sent.h"
#include "connectors/http/form.h"
#include "connectors/http/retry.h"
#include "router/base/base64.h"
#include "router/base/json.h"

namespace writ::connectors {

using router::ChatFailure;
using router::HttpFailure;
using router::HttpResponse;

namespace {

constexpr std::chrono::milliseconds kLongestWait{60000};
constexpr std::int64_t kOptedOut = 21610;
// Until what was taken stands in Twilio's list.
constexpr std::chrono::milliseconds kUntilListed{3000};
// The newest of what was sent to one number: Twilio's list begins with them.
constexpr const char* kLookedThrough = "100";

SmsSent Failed(ChatFailure::Kind kind, std::string what) {
  return {ChatFailure{kind, std::move(what), std::nullopt}};
}

SmsSent Unsure(std::string what) {
  return {ChatFailure{ChatFailure::Kind::kTransient, std::move(what), kUntilListed}};
}

std::string Answered(const HttpResponse& response) {
  return "Twilio answered " + std::to_string(response.status);
}

}  // namespace

void SmsClient::Send(const std::string& number, const std::string& text, std::stop_token stop,
                     Done done) {
  const bool is_service = access_.from.starts_with("MG");
  router::HttpRequest request = RequestOf("POST");
  request.headers.emplace_back("content-type", "application/x-www-form-urlencoded");
  request.body = FormBody({{"To", number},
                           {is_service ? "MessagingServiceSid" : "From", access_.from},
                           {"Body", text}});
  request.once = true;
  http_.Send(std::move(request), std::move(stop),
             [self = shared_from_this(), done = std::move(done)](
                 const router::HttpOutcome& outcome) { done(self->Read(outcome)); });
}

void SmsClient::Tell(const std::string& number, const std::string& text) {
  Send(number, text, {}, [](const SmsSent&) {});
}

void SmsClient::SentSince(const std::string& number, router::TimePoint since, std::stop_token stop,
                          SentDone done) {
  router::HttpRequest request = RequestOf("GET");
  FormFields query{{"To", number}, {"PageSize", kLookedThrough}};
  // A service's messages have the number that it chose.
  if (!access_.from.starts_with("MG")) query.emplace_back("From", access_.from);
  request.url += '?' + FormBody(query);
  http_.Send(std::move(request), std::move(stop),
             [self = shared_from_this(), number, since,
              done = std::move(done)](const router::HttpOutcome& outcome) {
               const auto failed = [&](std::string what) {
                 done(ChatFailure{ChatFailure::Kind::kTransient, std::move(what), std::nullopt});
               };
               if (const auto* failure = std::get_if<HttpFailure>(&outcome)) {
                 return failed(failure->what);
               }
               const auto& response = std::get<HttpResponse>(outcome);
               if (response.status != 200) {
                 return done(ChatFailure{ChatFailure::Kind::kTransient, Answered(response),
                                         RetryAfterOf(response, self->clock_.Now(), kLongestWait)});
               }
               auto bodies = BodiesSentSince(response.body, number, since);
               if (!bodies) return failed("Twilio's list of messages can't be read");
               done(*std::move(bodies));
             });
}

router::HttpRequest SmsClient::RequestOf(const char* method) const {
  router::HttpRequest request;
  request.method = method;
  request.url = access_.base_url + "/2010-04-01/Accounts/" + access_.account_sid + "/Messages.json";
  request.headers = {{"authorization", "Basic " + router::Base64Encode(access_.account_sid + ':' +
                                                                       access_.auth_token)}};
  return request;
}

SmsSent SmsClient::Read(const router::HttpOutcome& outcome) const {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) {
    if (failure->kind == HttpFailure::Kind::kNotSent) {
      return Failed(ChatFailure::Kind::kTransient, failure->what);
    }
    log_.Warn("sms.unsure", {{"why", failure->what}});
    return Unsure(failure->what);
  }
  const auto& response = std::get<HttpResponse>(outcome);
  if (response.status >= 200 && response.status < 300) return {};
  if (response.status >= 500) {
    log_.Warn("sms.unsure", {{"status", std::to_string(response.status)}});
    return Unsure(Answered(response));
  }
  return ReadRefusal(response);
}

SmsSent SmsClient::ReadRefusal(const HttpResponse& response) const {
  const router::Json body = router::ParseJson(response.body).value.value_or(router::Json());
  const std::int64_t code = body.IsObject() ? body.IntAt("code").value_or(0) : 0;
  const std::string what = Answered(response) + " (" + std::to_string(code) + ")";
  // A token or an account may be mended, and nothing must be lost until then.
  const bool may_pass = response.status == 429 || response.status == 401 ||
                        response.status == 403 || response.status == 404;
  if (!may_pass || code == kOptedOut) return Failed(ChatFailure::Kind::kRefused, what);
  return {ChatFailure{ChatFailure::Kind::kTransient, what,
                      RetryAfterOf(response, clock_.Now(), kLongestWait)}};
}

}  // namespace writ::connectors
