#include "bot/demo/chat/chat_api.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "bot/auth/token.h"

namespace writ::bot {
namespace {

using router::Json;

std::string QueryAt(const Target& target, std::string_view name) {
  for (const auto& [key, value] : target.query) {
    if (key == name) return value;
  }
  return {};
}

ChatPaging PagingOf(const Target& target) {
  ChatPaging paging;
  const std::string limit = QueryAt(target, "limit");
  std::from_chars(limit.data(), limit.data() + limit.size(), paging.limit);
  paging.limit = std::clamp(paging.limit, 0, 300);
  paging.id_lt = QueryAt(target, "id_lt");
  paging.id_lte = QueryAt(target, "id_lte");
  paging.id_gt = QueryAt(target, "id_gt");
  paging.id_gte = QueryAt(target, "id_gte");
  return paging;
}

Json ParsedObject(const std::string& text) {
  auto parsed = router::ParseJson(text);
  return parsed.value && parsed.value->IsObject() ? *std::move(parsed.value) : Json();
}

Response ErrorResponse(const std::string& operation, const ChatError& error) {
  return JsonResponse(StatusOf(error.code), ErrorJson(operation, error));
}

// A page of another origin may be the one that chats: the demo's is.
void AllowAnyOrigin(Response& response) {
  response.headers.emplace_back("Access-Control-Allow-Origin", "*");
  response.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE");
  response.headers.emplace_back(
      "Access-Control-Allow-Headers",
      "Authorization, Content-Type, Stream-Auth-Type, X-Stream-Client, X-Client-Request-Id");
}

Response FaultResponse(const ChatFault& fault, const std::string& operation) {
  Response response;
  if (fault.is_json) {
    const ChatError error{
        fault.status == 429 ? ChatErrorCode::kRateLimit : ChatErrorCode::kInternal,
        fault.status == 429 ? "Too many requests" : "internal error"};
    Json body = ErrorJson(operation, error);
    body.Set("StatusCode", fault.status);
    response = JsonResponse(fault.status, body);
  } else {
    response.status = fault.status;
    response.content_type = "text/html";
    response.body = "<html><body>upstream error</body></html>";
  }
  if (fault.retry_after) response.headers.emplace_back("Retry-After", *fault.retry_after);
  return response;
}

}  // namespace

ChatApi::ChatApi(ChatKeys keys, ChatWorld& world, ChatFaults& faults, ChatLimits& limits,
                 const router::Clock& clock, OnEvent on_event)
    : keys_(std::move(keys)),
      world_(world),
      faults_(faults),
      limits_(limits),
      clock_(clock),
      on_event_(std::move(on_event)) {}

ChatApi::Answer ChatApi::Handle(const Request& request) {
  const auto target = ParseTarget(request.target);
  Answer answer;
  if (request.method == "OPTIONS") {
    answer.response = NoContent();
  } else if (const auto call = target ? FindCall(request.method, *target) : std::nullopt) {
    ChatLimits::Taken taken = limits_.Take(call->endpoint);
    answer = taken.allowed
                 ? Work(*call, request, *target)
                 : Answer{ErrorResponse("", {ChatErrorCode::kRateLimit, "Too many requests"}),
                          std::nullopt};
    for (auto& header : taken.headers) answer.response.headers.push_back(std::move(header));
  } else {
    answer.response =
        ErrorResponse("", {ChatErrorCode::kDoesNotExist, "the demo chat has no such call"});
  }
  AllowAnyOrigin(answer.response);
  return answer;
}

ChatApi::Answer ChatApi::Work(const Call& call, const Request& request, const Target& target) {
  const std::string operation(NameOf(call.endpoint));
  const auto fault = faults_.Take(call.endpoint);
  std::optional<ChatFault::Kind> broken;
  if (fault) {
    switch (fault->kind) {
      case ChatFault::Kind::kStatus:
        return {FaultResponse(*fault, operation), std::nullopt};
      case ChatFault::Kind::kHang:
      case ChatFault::Kind::kClose:
        return {Response{}, fault->kind};
      case ChatFault::Kind::kDoThenHang:
      case ChatFault::Kind::kDoThenClose:
        broken = fault->kind;
        break;
    }
  }
  const auto caller = Identify(request, target);
  if (const auto* error = std::get_if<ChatError>(&caller)) {
    return {ErrorResponse("", *error), broken};
  }
  const Json body = request.body.empty() ? Json::MakeObject() : ParsedObject(request.body);
  if (request.body_too_large || !body.IsObject()) {
    return {ErrorResponse(operation, {ChatErrorCode::kInput, "the body is not a JSON object"}),
            broken};
  }
  ChatResult result = Run(call, std::get<ChatCaller>(caller), target, body);
  if (const auto* error = std::get_if<ChatError>(&result)) {
    return {ErrorResponse(operation, *error), broken};
  }
  auto& done = std::get<ChatDone>(result);
  for (const Json& event : done.events) on_event_(event);
  done.body.Set("duration", "1.00ms");
  return {JsonResponse(done.status, done.body), broken};
}

std::optional<ChatApi::Call> ChatApi::FindCall(const std::string& method, const Target& target) {
  const auto& path = target.segments;
  const auto is = [&](std::size_t at, std::string_view text) { return path[at] == text; };
  if (path.size() == 4 && is(0, "channels") && method == "POST") {
    const std::vector<std::string> ids{path[1], path[2]};
    if (is(3, "message")) return Call{ChatEndpoint::kSendMessage, ids};
    if (is(3, "event")) return Call{ChatEndpoint::kSendEvent, ids};
    if (is(3, "query")) return Call{ChatEndpoint::kQueryChannel, ids};
  } else if (path.size() == 2 && is(0, "messages")) {
    if (method == "GET") return Call{ChatEndpoint::kGetMessage, {path[1]}};
    if (method == "PUT") return Call{ChatEndpoint::kUpdateMessage, {path[1]}};
    if (method == "DELETE") return Call{ChatEndpoint::kDeleteMessage, {path[1]}};
  } else if (path.size() == 3 && is(0, "messages")) {
    if (is(2, "replies") && method == "GET") return Call{ChatEndpoint::kReplies, {path[1]}};
    if (is(2, "ephemeral") && method == "PATCH") {
      return Call{ChatEndpoint::kUpdateEphemeral, {path[1]}};
    }
  } else if (path.size() == 1 && is(0, "members") && method == "GET") {
    return Call{ChatEndpoint::kQueryMembers, {}};
  } else if (path.size() == 1 && is(0, "users")) {
    if (method == "GET") return Call{ChatEndpoint::kQueryUsers, {}};
    if (method == "POST") return Call{ChatEndpoint::kUpsertUsers, {}};
  }
  return std::nullopt;
}

std::variant<ChatCaller, ChatError> ChatApi::Identify(const Request& request,
                                                      const Target& target) const {
  if (QueryAt(target, "api_key") != keys_.api_key) {
    return ChatError{ChatErrorCode::kAccessKey, "api_key not valid"};
  }
  const std::string* auth_type = request.Header("stream-auth-type");
  if (auth_type == nullptr || *auth_type != "jwt") {
    return ChatError{ChatErrorCode::kAuthentication, "Stream-Auth-Type must be jwt"};
  }
  const std::string* token = request.Header("authorization");
  if (token == nullptr) return ChatError{ChatErrorCode::kAuthentication, "no token"};
  const auto claims = VerifyToken(*token, keys_.api_secret, clock_.Now());
  if (const auto* fault = std::get_if<TokenFault>(&claims)) {
    switch (*fault) {
      case TokenFault::kBad:
        return ChatError{ChatErrorCode::kTokenSignature, "token signature is invalid"};
      case TokenFault::kExpired:
        return ChatError{ChatErrorCode::kTokenExpired, "token is expired"};
    }
  }
  const auto& object = std::get<Json>(claims);
  if (object.BoolAt("server").value_or(false)) return ChatCaller{true, ""};
  const std::string user_id = object.TextAt("user_id");
  if (user_id.empty()) return ChatError{ChatErrorCode::kAuthentication, "the token names no user"};
  if (!world_.HasUser(user_id)) {
    return ChatError{ChatErrorCode::kAuthentication, "user " + user_id + " doesn't exist"};
  }
  return ChatCaller{false, user_id};
}

ChatResult ChatApi::Run(const Call& call, const ChatCaller& caller, const Target& target,
                        const Json& body) {
  const auto cid = [&] { return call.ids[0] + ":" + call.ids[1]; };
  const auto payload = [&] { return ParsedObject(QueryAt(target, "payload")); };
  switch (call.endpoint) {
    case ChatEndpoint::kSendMessage:
      return world_.SendMessage(caller, cid(), body);
    case ChatEndpoint::kUpdateMessage:
      return world_.UpdateMessage(caller, call.ids[0], body);
    case ChatEndpoint::kUpdateEphemeral:
      return world_.UpdateEphemeral(caller, call.ids[0], body);
    case ChatEndpoint::kGetMessage:
      return world_.GetMessage(call.ids[0]);
    case ChatEndpoint::kDeleteMessage:
      return world_.DeleteMessage(caller, call.ids[0], QueryAt(target, "hard") == "true");
    case ChatEndpoint::kReplies:
      return world_.Replies(call.ids[0], PagingOf(target));
    case ChatEndpoint::kQueryChannel:
      return world_.QueryChannel(caller, call.ids[0], call.ids[1], body);
    case ChatEndpoint::kQueryMembers:
      return world_.QueryMembers(payload());
    case ChatEndpoint::kQueryUsers:
      return world_.QueryUsers(payload());
    case ChatEndpoint::kUpsertUsers:
      if (!caller.is_server) return ChatError{ChatErrorCode::kNotAllowed, "backend only"};
      return world_.UpsertUsers(body);
    case ChatEndpoint::kSendEvent:
      return world_.SendEvent(caller, cid(), body);
  }
  return ChatError{ChatErrorCode::kInternal, "no such call"};
}

}  // namespace writ::bot
