// The Web API's methods, as the emulator answers them.
#include <algorithm>
#include <utility>

#include "tests/support/platforms/slack_emulator.h"

namespace writ::tests {

using bot::JsonResponse;
using connectors::FormFields;
using router::Json;

namespace {

constexpr std::string_view kApi = "/api/";
constexpr std::string_view kActions = "/actions/";

std::string Field(const FormFields& fields, std::string_view name) {
  const std::string* value = connectors::FindField(fields, name);
  return value == nullptr ? "" : *value;
}

Json Refused(const std::string& error) {
  return Json::MakeObject({{"ok", false}, {"error", error}});
}

Json Ok() { return Json::MakeObject({{"ok", true}}); }

Json JsonAt(const FormFields& fields, std::string_view name, Json otherwise) {
  const std::string text = Field(fields, name);
  return text.empty() ? std::move(otherwise) : router::ParseJson(text).value.value_or(Json());
}

bool IsInThread(const Json& message, const std::string& thread) {
  return message.TextAt("ts") == thread || message.TextAt("thread_ts") == thread;
}

// One page of `all`, from the place that the cursor names.
Json Page(const std::vector<Json>& all, const FormFields& fields, const char* key, Json answer) {
  const std::string cursor = Field(fields, "cursor");
  const std::string limit = Field(fields, "limit");
  const std::size_t from = cursor.empty() ? 0 : std::stoul(cursor);
  const std::size_t to = std::min(from + (limit.empty() ? 100 : std::stoul(limit)), all.size());
  Json page = Json::MakeArray();
  for (std::size_t i = from; i < to; ++i) page.Push(all[i]);
  answer.Set(key, std::move(page));
  answer.Set("has_more", to < all.size());
  answer.Set("response_metadata",
             Json::MakeObject({{"next_cursor", to < all.size() ? std::to_string(to) : ""}}));
  return answer;
}

}  // namespace

bot::Response SlackEmulator::Answer(const bot::Request& request) {
  if (request.target.starts_with(kActions)) {
    const Json body = router::ParseJson(request.body).value.value_or(Json());
    const std::lock_guard lock(mutex_);
    whispers_.push_back({request.target.substr(kActions.size()), body.TextAt("text")});
    changed_.notify_all();
    return JsonResponse(200, Ok());
  }
  const std::string* token = request.Header("authorization");
  const auto fields = connectors::ParseForm(request.body);
  if (!request.target.starts_with(kApi) || !fields) return JsonResponse(404, Json());
  if (token == nullptr || *token != std::string("Bearer ") + kToken) {
    return JsonResponse(200, Refused("invalid_auth"));
  }
  const std::string method = request.target.substr(kApi.size());
  Fault fault;
  bool is_ordered = false;
  {
    std::unique_lock lock(mutex_);
    calls_.push_back({method, *fields});
    const auto found = faults_.find(method);
    if (found != faults_.end() && found->second.times > 0) {
      fault = found->second.fault;
      is_ordered = true;
      --found->second.times;
    }
    if (fault.hangs) {
      changed_.wait(lock, [&] { return released_; });
    }
  }
  if (!is_ordered || fault.happens_all_the_same) {
    bot::Response response = JsonResponse(200, Run(method, *fields));
    if (!is_ordered) return response;
  }
  bot::Response response =
      JsonResponse(fault.status, Refused(fault.error.empty() ? "internal_error" : fault.error));
  if (!fault.retry_after.empty()) response.headers.emplace_back("Retry-After", fault.retry_after);
  return response;
}

Json SlackEmulator::Run(const std::string& method, const FormFields& fields) {
  if (method == "chat.postMessage") return PostMessage(fields);
  if (method == "chat.update") return UpdateMessage(fields);
  const std::lock_guard lock(mutex_);
  if (method == "auth.test") {
    Json self = Ok();
    self.Set("user_id", kBot);
    self.Set("bot_id", "B0WRIT001");
    self.Set("team_id", kTeam);
    if (!enterprise_.empty()) self.Set("enterprise_id", enterprise_);
    return self;
  }
  if (method == "chat.postEphemeral") return PostEphemeral(fields);
  if (method == "conversations.replies") return ReadMessages(fields, true);
  if (method == "conversations.history") return ReadMessages(fields, false);
  if (method == "conversations.members") return ReadMembers(fields);
  if (method == "users.info") return ReadUser(fields);
  if (method == "views.open") return OpenView(fields);
  return Refused("unknown_method");
}

Json* SlackEmulator::FindMessage(const std::string& channel, const std::string& ts) {
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return nullptr;
  const auto message = std::ranges::find_if(
      found->second.messages, [&](const Json& one) { return one.TextAt("ts") == ts; });
  return message == found->second.messages.end() ? nullptr : &*message;
}

Json SlackEmulator::PostMessage(const FormFields& fields) {
  const std::string channel = Field(fields, "channel");
  const Json blocks = JsonAt(fields, "blocks", Json::MakeArray());
  Json event;
  Json answer = Ok();
  {
    const std::lock_guard lock(mutex_);
    const auto found = channels_.find(channel);
    if (found == channels_.end()) return Refused("channel_not_found");
    if (!found->second.members.contains(kBot)) return Refused("not_in_channel");
    const std::string fault = SlackFaultOf(Field(fields, "text"), blocks);
    if (!fault.empty()) return Refused(fault);
    Json message = Json::MakeObject({{"type", "message"},
                                     {"user", kBot},
                                     {"bot_id", "B0WRIT001"},
                                     {"app_id", "A0WRIT001"},
                                     {"team", kTeam},
                                     {"text", Field(fields, "text")},
                                     {"ts", NextTs()},
                                     {"blocks", blocks}});
    if (const std::string thread = Field(fields, "thread_ts"); !thread.empty()) {
      message.Set("thread_ts", thread);
    }
    message.Set("metadata", JsonAt(fields, "metadata", Json()));
    found->second.messages.push_back(message);
    event = message;
    event.Set("channel", channel);
    event.Set("event_ts", message.TextAt("ts"));
    answer.Set("channel", channel);
    answer.Set("ts", message.TextAt("ts"));
    answer.Set("message", std::move(message));
    changed_.notify_all();
  }
  Tell(event);  // one's own messages come back
  return answer;
}

Json SlackEmulator::UpdateMessage(const FormFields& fields) {
  const std::string channel = Field(fields, "channel");
  const Json blocks = JsonAt(fields, "blocks", Json::MakeArray());
  Json event;
  {
    const std::lock_guard lock(mutex_);
    Json* message = FindMessage(channel, Field(fields, "ts"));
    if (message == nullptr) return Refused("message_not_found");
    if (message->TextAt("user") != kBot) return Refused("cant_update_message");
    const std::string fault = SlackFaultOf(Field(fields, "text"), blocks);
    if (!fault.empty()) return Refused(fault);
    event = Json::MakeObject({{"type", "message"},
                              {"subtype", "message_changed"},
                              {"hidden", true},
                              {"channel", channel},
                              {"previous_message", *message}});
    message->Set("text", Field(fields, "text"));
    message->Set("blocks", blocks);
    message->Set("edited", Json::MakeObject({{"user", kBot}, {"ts", NextTs()}}));
    event.Set("message", *message);
    event.Set("ts", NextTs());
    event.Set("event_ts", event.TextAt("ts"));
    changed_.notify_all();
  }
  Tell(event);
  Json answer = Ok();
  answer.Set("channel", channel);
  answer.Set("ts", Field(fields, "ts"));
  return answer;
}

Json SlackEmulator::PostEphemeral(const FormFields& fields) {
  const auto found = channels_.find(Field(fields, "channel"));
  if (found == channels_.end()) return Refused("channel_not_found");
  const std::string user = Field(fields, "user");
  if (!found->second.members.contains(user)) return Refused("user_not_in_channel");
  whispers_.push_back({user, Field(fields, "text")});
  Json answer = Ok();
  answer.Set("message_ts", NextTs());
  return answer;
}

Json SlackEmulator::ReadMessages(const FormFields& fields, bool replies) {
  const auto found = channels_.find(Field(fields, "channel"));
  if (found == channels_.end()) return Refused("channel_not_found");
  const std::string thread = Field(fields, "ts");
  const std::string oldest = Field(fields, "oldest");
  std::vector<Json> messages;
  for (Json message : found->second.messages) {
    const std::string ts = message.TextAt("ts");
    const std::string root = message.TextAt("thread_ts");
    const bool is_wanted = replies ? IsInThread(message, thread) : root.empty() || root == ts;
    const bool is_root = replies && ts == thread;
    if (!is_wanted || (!is_root && !oldest.empty() && ts <= oldest)) continue;
    if (Field(fields, "include_all_metadata") != "true") message.Set("metadata", Json());
    messages.push_back(std::move(message));
  }
  if (replies && messages.empty()) return Refused("thread_not_found");
  if (!replies) std::ranges::reverse(messages);
  return Page(messages, fields, "messages", Ok());
}

Json SlackEmulator::ReadMembers(const FormFields& fields) {
  const auto found = channels_.find(Field(fields, "channel"));
  if (found == channels_.end()) return Refused("channel_not_found");
  std::vector<Json> members;
  for (const std::string& member : found->second.members) members.emplace_back(member);
  return Page(members, fields, "members", Ok());
}

Json SlackEmulator::ReadUser(const FormFields& fields) {
  const auto found = users_.find(Field(fields, "user"));
  if (found == users_.end()) return Refused("user_not_found");
  const User& user = found->second;
  Json told = Json::MakeObject({{"id", user.id},
                                {"team_id", user.team},
                                {"name", user.id},
                                {"deleted", user.deleted},
                                {"is_bot", user.id == kBot}});
  if (!user.enterprise.empty()) {
    Json teams = Json::MakeArray();
    teams.Push(user.team);
    told.Set("enterprise_user", Json::MakeObject({{"id", user.id},
                                                  {"enterprise_id", user.enterprise},
                                                  {"teams", std::move(teams)}}));
  }
  Json answer = Ok();
  answer.Set("user", std::move(told));
  return answer;
}

Json SlackEmulator::OpenView(const FormFields& fields) {
  const Json view = JsonAt(fields, "view", Json());
  if (!triggers_.insert(Field(fields, "trigger_id")).second) return Refused("exchanged_trigger_id");
  const std::string fault = SlackFaultOfView(view);
  if (!fault.empty()) return Refused(fault);
  forms_.push_back(view);
  changed_.notify_all();
  Json answer = Ok();
  answer.Set("view", view);
  return answer;
}

}  // namespace writ::tests
