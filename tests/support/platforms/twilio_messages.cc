// The Messages API of the emulator: what Twilio takes, refuses and lists.
#include <algorithm>
#include <array>
#include <ctime>
#include <regex>

#include "router/base/base64.h"
#include "router/base/text.h"
#include "tests/support/platforms/twilio_emulator.h"

namespace writ::tests {

using connectors::FormFields;
using router::Json;

namespace {

constexpr std::size_t kLongestBody = 1600;
constexpr std::size_t kDefaultPage = 50;
constexpr const char* kService = "MG00000000000000000000000000000001";

std::string FieldOf(const FormFields& fields, std::string_view name) {
  const std::string* value = connectors::FindField(fields, name);
  return value == nullptr ? "" : *value;
}

bot::Response Refused(int status, int code) {
  return bot::JsonResponse(status,
                           Json::MakeObject({{"code", Json(code)},
                                             {"message", "refused"},
                                             {"more_info", "https://www.twilio.com/docs/errors"},
                                             {"status", Json(status)}}));
}

std::string Rfc2822(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 64> text{};
  return {text.data(),
          std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S +0000", &parts)};
}

std::string PathOf() {
  return std::string("/2010-04-01/Accounts/") + TwilioEmulator::kAccount + "/Messages";
}

// One message as Twilio has it just after it took it.
Json MessageOf(const TwilioEmulator::Sms& sms) {
  const std::string at = Rfc2822(sms.taken_at);
  const std::string uri = PathOf() + '/' + sms.sid;
  return Json::MakeObject({{"account_sid", TwilioEmulator::kAccount},
                           {"api_version", "2010-04-01"},
                           {"body", sms.text},
                           {"date_created", at},
                           {"date_sent", Json()},
                           {"date_updated", at},
                           {"direction", "outbound-api"},
                           {"error_code", Json()},
                           {"error_message", Json()},
                           {"from", TwilioEmulator::kNumber},
                           {"messaging_service_sid", kService},
                           {"num_media", "0"},
                           {"num_segments", "1"},
                           {"price", Json()},
                           {"price_unit", "USD"},
                           {"sid", sms.sid},
                           {"status", "queued"},
                           {"subresource_uris", Json::MakeObject({{"media", uri + "/Media.json"}})},
                           {"to", sms.number},
                           {"uri", uri + ".json"}});
}

}  // namespace

bot::Response TwilioEmulator::Answer(const bot::Request& request) {
  const std::string path = PathOf() + ".json";
  const std::string credentials =
      "Basic " + router::Base64Encode(std::string(kAccount) + ':' + kToken);
  const std::string* authorization = request.Header("authorization");
  if (authorization == nullptr || *authorization != credentials) return Refused(401, 20003);
  const std::size_t query = std::min(request.target.find('?'), request.target.size());
  if (request.target.substr(0, query) != path) return Refused(404, 20404);
  const std::string& form = request.method == "GET"
                                ? request.target.substr(std::min(query + 1, request.target.size()))
                                : request.body;
  const FormFields fields = connectors::ParseForm(form).value_or(FormFields{});
  const std::lock_guard lock(mutex_);
  if (request.method == "GET") return List(fields);
  return request.method == "POST" ? Take(fields) : Refused(405, 20004);
}

bot::Response TwilioEmulator::Take(const FormFields& fields) {
  const std::string to = FieldOf(fields, "To");
  const std::string body = FieldOf(fields, "Body");
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
  std::string sid = std::to_string(sent_.size() + 1);
  sid = "SM" + std::string(32 - sid.size(), 'a') + sid;
  sent_.push_back({to, body, sid, std::time(nullptr)});
  calls_.push_back(fields);
  if (has_fault) return Refused(fault_.status, fault_.code);
  return bot::JsonResponse(201, MessageOf(sent_.back()));
}

bot::Response TwilioEmulator::List(const FormFields& fields) {
  if (look_faults_left_ > 0) {
    --look_faults_left_;
    return Refused(503, 20503);
  }
  const std::string to = FieldOf(fields, "To");
  const std::string from = FieldOf(fields, "From");
  const std::string size = FieldOf(fields, "PageSize");
  const std::size_t most = size.empty() ? kDefaultPage : std::stoul(size);
  Json messages = Json::MakeArray();
  const std::vector<Sms> newest_first(sent_.rbegin(), sent_.rend());
  for (const Sms& sms : newest_first) {
    if (messages.array().size() == most) break;
    if (!to.empty() && sms.number != to) continue;
    if (from.empty() || from == kNumber) messages.Push(MessageOf(sms));
  }
  const std::string uri = PathOf() + ".json?" + connectors::FormBody(fields);
  const auto count = static_cast<int>(messages.array().size());
  const Json page = Json::MakeObject({{"end", Json(count - 1)},
                                      {"first_page_uri", uri + "&Page=0"},
                                      {"messages", std::move(messages)},
                                      {"next_page_uri", Json()},
                                      {"page", Json(0)},
                                      {"page_size", Json(static_cast<int>(most))},
                                      {"previous_page_uri", Json()},
                                      {"start", Json(0)},
                                      {"uri", uri}});
  looks_.emplace_back(fields, page.Dump());
  return bot::JsonResponse(200, page);
}

}  // namespace writ::tests
