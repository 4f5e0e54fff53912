#include "bot/demo/chat/chat_server.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "router/base/failure.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::size_t kMaxBodyBytes = std::size_t{1} << 20;

ServerOptions ServerOptionsOf(const ChatServerOptions& options) {
  ServerOptions server;
  server.host = options.host;
  server.port = options.port;
  server.workers = options.workers;
  server.max_body_bytes = kMaxBodyBytes;
  return server;
}

// The head of an answer whose body never comes, or never whole.
Response Unfinished(std::function<void(Socket)> take_over) {
  Response response;
  response.status = 200;
  response.content_type = "application/json";
  response.headers = {{"Content-Length", "1000"}};
  response.take_over = std::move(take_over);
  return response;
}

}  // namespace

ChatServer::ChatServer(ChatServerOptions options, router::HttpClient& http,
                       const router::Clock& clock, router::Log& log)
    : options_(std::move(options)),
      world_(clock),
      limits_(clock, options_.enforce_limits),
      webhooks_(options_.keys.api_key, options_.keys.api_secret, options_.webhooks, http, clock),
      api_(options_.keys, world_, faults_, limits_, clock,
           [this](const Json& event) { webhooks_.Tell(event); }),
      server_(
          ServerOptionsOf(options_), [this](const Request& request) { return Answer(request); },
          log) {
  server_.Start();
}

ChatServer::~ChatServer() { server_.Stop(); }

std::string ChatServer::url() const {
  return "http://" + options_.host + ":" + std::to_string(server_.port());
}

std::string ChatServer::Send(const std::string& user_id, const std::string& cid,
                             const std::string& text, const std::string& parent,
                             const Json& extra) {
  Json message = extra;
  message.Set("text", text);
  if (!parent.empty()) message.Set("parent_id", parent);
  const Json body =
      Publish(world_.SendMessage({false, user_id}, cid, Json::MakeObject({{"message", message}})));
  return body.Find("message")->TextAt("id");
}

void ChatServer::Edit(const std::string& message_id, const std::string& editor,
                      const std::string& text) {
  const auto message = world_.Message(message_id);
  const Json* author = message ? message->Find("user") : nullptr;
  const bool own = author != nullptr && author->TextAt("id") == editor;
  Json update = Json::MakeObject({{"set", Json::MakeObject({{"text", text}})}});
  if (!own) update.Set("user_id", editor);
  Publish(world_.UpdateMessage({!own, own ? editor : std::string()}, message_id, update));
}

void ChatServer::Delete(const std::string& message_id, const std::string& user_id) {
  Publish(world_.DeleteMessage({true, user_id}, message_id, false));
}

void ChatServer::Redeliver(const std::string& message_id, const std::string& url) {
  const auto event = webhooks_.LastEvent(message_id);
  if (!event) {
    throw router::Failure(router::Failure::Kind::kPermanent,
                          "no event told of message " + message_id);
  }
  webhooks_.Deliver(*event, url);
}

Json ChatServer::Publish(ChatResult result) {
  if (const auto* error = std::get_if<ChatError>(&result)) {
    throw router::Failure(router::Failure::Kind::kPermanent, "the demo chat: " + error->what);
  }
  auto& done = std::get<ChatDone>(result);
  for (const Json& event : done.events) webhooks_.Tell(event);
  return std::move(done.body);
}

Response ChatServer::Answer(const Request& request) {
  ChatApi::Answer answer = api_.Handle(request);
  if (!answer.broken) return std::move(answer.response);
  switch (*answer.broken) {
    case ChatFault::Kind::kHang:
    case ChatFault::Kind::kDoThenHang:
      return Unfinished([this](Socket socket) { parked_.Park(std::move(socket)); });
    case ChatFault::Kind::kClose:
    case ChatFault::Kind::kDoThenClose:
      return Unfinished([](const Socket& /*socket*/) {});
    case ChatFault::Kind::kStatus:
      break;
  }
  return std::move(answer.response);
}

}  // namespace writ::bot
