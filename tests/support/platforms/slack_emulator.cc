#include "tests/support/platforms/slack_emulator.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "router/base/digest.h"

namespace writ::tests {

using router::Json;

namespace {

std::int64_t NowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string TsOf(std::int64_t micros) {
  const std::string rest = std::to_string(micros % 1'000'000);
  return std::to_string(micros / 1'000'000) + '.' + std::string(6 - rest.size(), '0') + rest;
}

std::string ChannelType(const std::string& channel) {
  return channel.starts_with('D') ? "im" : "channel";
}

// The event's fields that the message itself does not keep.
Json EventOf(const std::string& channel, const Json& message) {
  Json event = message;
  event.Set("channel", channel);
  event.Set("channel_type", ChannelType(channel));
  event.Set("event_ts", message.TextAt("ts"));
  return event;
}

}  // namespace

SlackEmulator::SlackEmulator() {
  bot::ServerOptions options;
  options.workers = 16;  // a call that hangs occupies one
  server_ = std::make_unique<bot::Server>(
      options, [this](const bot::Request& request) { return Answer(request); }, log_);
  server_->Start();
  AddUser({.id = kBot});
  teller_ = std::jthread([this](const std::stop_token& stop) { TellAll(stop); });
}

SlackEmulator::~SlackEmulator() {
  Release();
  teller_.request_stop();
  teller_.join();
  server_->Stop();
}

Json SlackEmulator::PlatformConfig() const {
  return Json::MakeObject(
      {{"kind", "slack"},
       {"signing_secret", kSecret},
       {"bot_token", kToken},
       {"base_url", "http://127.0.0.1:" + std::to_string(server_->port()) + "/api"}});
}

void SlackEmulator::SetHook(int port, std::string path) {
  const std::lock_guard lock(mutex_);
  hook_port_ = port;
  hook_path_ = std::move(path);
}

void SlackEmulator::SetEnterprise(const std::string& enterprise) {
  const std::lock_guard lock(mutex_);
  enterprise_ = enterprise;
}

void SlackEmulator::AddUser(const User& user) {
  const std::lock_guard lock(mutex_);
  users_[user.id] = user;
}

void SlackEmulator::AddChannel(const std::string& channel, const std::set<std::string>& members) {
  const std::lock_guard lock(mutex_);
  channels_[channel].members = members;
  channels_[channel].members.insert(kBot);
}

void SlackEmulator::Leave(const std::string& channel, const std::string& user) {
  const std::lock_guard lock(mutex_);
  channels_[channel].members.erase(user);
}

std::string SlackEmulator::NextTs() {
  last_ts_ = std::max(last_ts_ + 1, NowMicros());
  return TsOf(last_ts_);
}

std::string SlackEmulator::Write(const std::string& user, const std::string& channel,
                                 const std::string& text, const std::string& thread,
                                 const Json& more, bool tells) {
  std::string ts;
  Json message;
  {
    const std::lock_guard lock(mutex_);
    ts = NextTs();
    message = Json::MakeObject({{"type", "message"},
                                {"client_msg_id", "client-" + ts},
                                {"user", user},
                                {"text", text},
                                {"ts", ts},
                                {"team", users_[user].team}});
    if (!thread.empty()) message.Set("thread_ts", thread);
    for (const auto& [key, value] : more.object()) message.Set(key, value);
    channels_[channel].messages.push_back(message);
  }
  if (tells) Tell(EventOf(channel, message));
  return ts;
}

Json SlackEmulator::MessageEvent(const std::string& channel, const std::string& ts) const {
  for (const Json& message : Messages(channel)) {
    if (message.TextAt("ts") == ts) return EventOf(channel, message);
  }
  return {};
}

void SlackEmulator::EditMessage(const std::string& editor, const std::string& channel,
                                const std::string& ts, const std::string& text) {
  Json event;
  {
    const std::lock_guard lock(mutex_);
    Json* message = FindMessage(channel, ts);
    if (message == nullptr) return;
    const Json before = *message;
    message->Set("text", text);
    message->Set("edited", Json::MakeObject({{"user", editor}, {"ts", NextTs()}}));
    event = Json::MakeObject({{"type", "message"},
                              {"subtype", "message_changed"},
                              {"hidden", true},
                              {"message", *message},
                              {"previous_message", before},
                              {"ts", NextTs()}});
  }
  Tell(EventOf(channel, event));
}

void SlackEmulator::DeleteMessage(const std::string& channel, const std::string& ts) {
  Json event;
  {
    const std::lock_guard lock(mutex_);
    Json* message = FindMessage(channel, ts);
    if (message == nullptr) return;
    event = Json::MakeObject({{"type", "message"},
                              {"subtype", "message_deleted"},
                              {"hidden", true},
                              {"deleted_ts", ts},
                              {"previous_message", *message},
                              {"ts", NextTs()}});
    std::erase_if(channels_[channel].messages,
                  [&](const Json& one) { return one.TextAt("ts") == ts; });
  }
  Tell(EventOf(channel, event));
}

std::string SlackEmulator::Envelope(const Json& event) const {
  const std::lock_guard lock(mutex_);
  const Json enterprise = enterprise_.empty() ? Json() : Json(enterprise_);
  Json authorizations = Json::MakeArray();
  authorizations.Push(Json::MakeObject({{"enterprise_id", enterprise},
                                        {"team_id", kTeam},
                                        {"user_id", kBot},
                                        {"is_bot", true},
                                        {"is_enterprise_install", false}}));
  return Json::MakeObject({{"token", "deprecated-token-ignore"},
                           {"team_id", kTeam},
                           {"api_app_id", "A0WRIT001"},
                           {"event", event},
                           {"type", "event_callback"},
                           {"event_id", "Ev0WRIT" + std::to_string(++events_)},
                           {"event_time", NowMicros() / 1'000'000},
                           {"authorizations", std::move(authorizations)},
                           {"is_ext_shared_channel", false},
                           {"event_context", "4-eyJldCI6Im1lc3NhZ2UifQ"}})
      .Dump();
}

ApiHeaders SlackEmulator::Signed(const std::string& body, const std::string& type, int age_s) {
  const std::string timestamp = std::to_string(NowMicros() / 1'000'000 - age_s);
  return {{"Content-Type", type},
          {"X-Slack-Request-Timestamp", timestamp},
          {"X-Slack-Signature",
           "v0=" + router::HmacSha256Hex(kSecret, "v0:" + timestamp + ':' + body)}};
}

ApiReply SlackEmulator::Deliver(const std::string& body, const std::string& type, int age_s) const {
  int port = 0;
  std::string path;
  {
    const std::lock_guard lock(mutex_);
    port = hook_port_;
    path = hook_path_;
  }
  return Send(port, "POST", path, Signed(body, type, age_s), body);
}

void SlackEmulator::Tell(const Json& event) {
  const std::string body = Envelope(event);
  const std::lock_guard lock(mutex_);
  to_tell_.push_back(body);
  changed_.notify_all();
}

void SlackEmulator::TellAll(const std::stop_token& stop) {
  constexpr int kTries = 4;
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
    for (int attempt = 0; attempt < kTries && !stop.stop_requested(); ++attempt) {
      const int status = Deliver(body).status;
      if (status == 200) break;
      std::unique_lock lock(mutex_);
      refusals_.push_back(status);
      changed_.wait_for(lock, stop, std::chrono::milliseconds(50), [] { return false; });
    }
  }
}

void SlackEmulator::WaitUntilTold() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return to_tell_.empty() && !is_telling_; });
}

Json SlackEmulator::PresserOf(const std::string& user) const {
  const auto found = users_.find(user);
  return Json::MakeObject(
      {{"id", user},
       {"username", user},
       {"name", user},
       {"team_id", found == users_.end() ? std::string(kTeam) : found->second.team}});
}

std::string SlackEmulator::PressBody(const std::string& user, const Json& message,
                                     const std::string& action, const std::string& value) const {
  Json pressed;
  if (const Json* blocks = message.Find("blocks")) {
    for (const Json& block : blocks->array()) {
      if (block.TextAt("type") != "actions") continue;
      for (const Json& element : block.Find("elements")->array()) {
        const bool is_meant = element.TextAt("action_id") == action &&
                              element.TextAt("value").find(value) != std::string::npos;
        if (is_meant) pressed = element;
      }
    }
  }
  const std::lock_guard lock(mutex_);
  if (!pressed.IsObject()) return "";  // there is no such button
  const std::string channel = message.TextAt("channel");
  const std::string trigger = "trigger." + std::to_string(++events_);
  Json actions = Json::MakeArray();
  actions.Push(pressed);
  const Json payload = Json::MakeObject(
      {{"type", "block_actions"},
       {"user", PresserOf(user)},
       {"api_app_id", "A0WRIT001"},
       {"container", Json::MakeObject({{"type", "message"},
                                       {"message_ts", message.TextAt("ts")},
                                       {"channel_id", channel},
                                       {"is_ephemeral", false},
                                       {"thread_ts", message.TextAt("thread_ts")}})},
       {"trigger_id", trigger},
       {"team", Json::MakeObject({{"id", kTeam}, {"domain", "writ-test"}})},
       {"enterprise",
        enterprise_.empty() ? Json() : Json::MakeObject({{"id", enterprise_}, {"name", "Grid"}})},
       {"is_enterprise_install", false},
       {"channel", Json::MakeObject({{"id", channel}, {"name", "callouts"}})},
       {"message", message},
       {"state", Json::MakeObject({{"values", Json::MakeObject()}})},
       {"response_url", "http://127.0.0.1:" + std::to_string(server_->port()) + "/actions/" + user},
       {"actions", std::move(actions)}});
  return connectors::FormBody({{"payload", payload.Dump()}});
}

ApiReply SlackEmulator::Press(const std::string& user, const Json& message,
                              const std::string& action, const std::string& value) {
  const std::string body = PressBody(user, message, action, value);
  return body.empty() ? ApiReply{} : Deliver(body, "application/x-www-form-urlencoded");
}

std::string SlackEmulator::SubmitBody(const std::string& user, const Json& view,
                                      const std::string& text) const {
  const std::lock_guard lock(mutex_);
  Json sent = view;
  const Json& input = view.Find("blocks")->array().front();
  const Json field = Json::MakeObject({{"type", "plain_text_input"}, {"value", text}});
  sent.Set("id", "V0WRIT0001");
  sent.Set(
      "state",
      Json::MakeObject(
          {{"values",
            Json::MakeObject(
                {{input.TextAt("block_id"),
                  Json::MakeObject({{input.Find("element")->TextAt("action_id"), field}})}})}}));
  const Json payload = Json::MakeObject(
      {{"type", "view_submission"},
       {"team", Json::MakeObject({{"id", kTeam}, {"domain", "writ-test"}})},
       {"user", PresserOf(user)},
       {"enterprise",
        enterprise_.empty() ? Json() : Json::MakeObject({{"id", enterprise_}, {"name", "Grid"}})},
       {"view", std::move(sent)},
       {"response_urls", Json::MakeArray()}});
  return connectors::FormBody({{"payload", payload.Dump()}});
}

ApiReply SlackEmulator::Submit(const std::string& user, const Json& view, const std::string& text) {
  return Deliver(SubmitBody(user, view, text), "application/x-www-form-urlencoded");
}

std::vector<Json> SlackEmulator::Messages(const std::string& channel) const {
  const std::lock_guard lock(mutex_);
  const auto found = channels_.find(channel);
  return found == channels_.end() ? std::vector<Json>{} : found->second.messages;
}

std::vector<Json> SlackEmulator::BotMessages(const std::string& channel) const {
  std::vector<Json> messages = Messages(channel);
  std::erase_if(messages, [](const Json& message) { return message.TextAt("user") != kBot; });
  for (Json& message : messages) message.Set("channel", channel);
  return messages;
}

std::vector<SlackEmulator::Whisper> SlackEmulator::Whispers() const {
  const std::lock_guard lock(mutex_);
  return whispers_;
}

std::vector<Json> SlackEmulator::Forms() const {
  const std::lock_guard lock(mutex_);
  return forms_;
}

std::vector<SlackEmulator::Called> SlackEmulator::Calls(const std::string& method) const {
  const std::lock_guard lock(mutex_);
  std::vector<Called> calls = calls_;
  std::erase_if(calls,
                [&](const Called& call) { return !method.empty() && call.method != method; });
  return calls;
}

std::vector<int> SlackEmulator::Refusals() const {
  const std::lock_guard lock(mutex_);
  return refusals_;
}

void SlackEmulator::Order(const std::string& method, const Fault& fault, int times) {
  const std::lock_guard lock(mutex_);
  faults_[method] = {fault, times};
}

void SlackEmulator::Clear() {
  const std::lock_guard lock(mutex_);
  faults_.clear();
}

void SlackEmulator::Release() {
  const std::lock_guard lock(mutex_);
  released_ = true;
  changed_.notify_all();
}

}  // namespace writ::tests
