// /v1/agents/sessions/{id}/events and /socket: what becomes of a session's commands, as it happens.
#include "bot/http/streams.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <variant>

#include "bot/http/fields.h"
#include "bot/http/header_text.h"
#include "bot/http/server_sent_events.h"
#include "bot/http/websocket.h"
#include "bot/routes/answering.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/owned.h"

namespace writ::bot {
namespace {

using router::Json;
using router::Session;
using Message = WebSocketReader::Message;

constexpr std::string_view kProtocol = "writ.v1";
// Browsers can't send an Authorization header with a WebSocket: there the token is among the
// subprotocols, behind this.
constexpr std::string_view kTokenProtocol = "writ.token.";
constexpr std::uint16_t kNormal = 1000;
constexpr std::uint16_t kPolicy = 1008;
constexpr std::uint16_t kTryAgainLater = 1013;
constexpr std::size_t kMostAnswersWaiting = 16;  // of one socket
constexpr std::size_t kMostRefs = 256;           // characters

// What was seen last: of the header, which an EventSource sends when it comes back, else of the
// query. What no stream of ours gave as an id is a fault.
std::variant<std::optional<std::int64_t>, Problem> ReadLastSeen(const Request& request) {
  QueryReader query(request);
  std::optional<std::string> text = query.OptionalText("last_event_id");
  if (const std::string* header = request.Header("last-event-id")) text = *header;
  std::optional<std::int64_t> seen;
  if (text && !text->empty()) {
    std::int64_t number = 0;
    const char* end = text->data() + text->size();
    const auto [at, error] = std::from_chars(text->data(), end, number);
    if (error == std::errc() && at == end && number >= 0) {
      seen = number;
    } else {
      query.Fault("last_event_id", "is no id of this stream");
    }
  }
  if (auto problem = query.Finish()) return *std::move(problem);
  return seen;
}

struct Asked {
  ApiCall call;
  Session session;
  SessionFeed::Start start;
};

// An id that this store has not given so far is from before a backup was restored: what it stands
// for is gone, so whoever brings it begins anew instead of waiting until the store gets there.
SessionFeed::Start StartOf(const Api& api, const Session& session,
                           std::optional<std::int64_t> seen) {
  auto now = api.ports.sessions.News({{session.app, session.id, std::nullopt}});
  if (seen && *seen <= now.at(0).until) return *seen;
  return std::move(now.at(0));
}

std::variant<Asked, Problem> ReadAsked(const Api& api, const Request& request) {
  auto identified = ApiCall::Identify(api, request);
  if (auto* problem = std::get_if<Problem>(&identified)) return std::move(*problem);
  auto seen = ReadLastSeen(request);
  if (auto* problem = std::get_if<Problem>(&seen)) return std::move(*problem);
  auto session = FindOwned(api, std::get<ApiCall>(identified), request);
  if (auto* problem = std::get_if<Problem>(&session)) return std::move(*problem);
  auto& found = std::get<Session>(session);
  auto start = StartOf(api, found, std::get<std::optional<std::int64_t>>(seen));
  return Asked{std::get<ApiCall>(std::move(identified)), std::move(found), std::move(start)};
}

// No stream outlives the credential that it was opened with.
std::optional<std::chrono::milliseconds> LongestOf(const Api& api, const ApiCall& call) {
  const auto until = call.GoodUntil();
  if (!until) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - api.ports.clock.Now());
  return std::max(left, std::chrono::milliseconds(0));
}

Response OpenStream(const Api& api, const Session& session, Response head, Streams::Begin begin) {
  const router::AppSetup* app = api.directory.FindApp(session.app);
  auto opened =
      api.streams.Open(std::move(head), session.app.text(), app->quotas.streams, std::move(begin));
  if (auto* response = std::get_if<Response>(&opened)) return std::move(*response);
  switch (std::get<Streams::Full>(opened)) {
    case Streams::Full::kGroup:
      return ToResponse({ProblemCode::kQuotaExceeded, "the app has as many streams as it may"});
    case Streams::Full::kNode:
      break;
  }
  api.shed("streams");
  return ToResponse({ProblemCode::kOverloaded, "this node has as many streams as it may"});
}

// Nothing is to come of it any more: to an EventSource, that it needs not come back.
bool IsOver(const Api& api, const Asked& asked) {
  const auto* seen = std::get_if<std::int64_t>(&asked.start);
  if (asked.session.open || seen == nullptr) return false;
  const auto news = api.ports.sessions.News({{asked.session.app, asked.session.id, *seen}});
  return news.at(0).turns.empty();
}

Response Events(const Api& api, const Request& request) {
  auto read = ReadAsked(api, request);
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  auto& asked = std::get<Asked>(read);
  if (IsOver(api, asked)) return NoContent();
  return OpenStream(api, asked.session, EventStreamHead(),
                    [&api, session = asked.session, start = std::move(asked.start),
                     longest = LongestOf(api, asked.call)](const std::shared_ptr<Stream>& stream) {
                      stream->Send("retry: 1000\n\n");
                      api.feed.Follow(
                          session, start, stream,
                          [](std::string_view id, std::string_view type, const Json& data) {
                            return EventText(id, type, data.Dump());
                          });
                      return Streams::Wishes{.beat = std::string(kEventBeat), .longest = longest};
                    });
}

// One WebSocket: what its client sends. One answer of it is under way at a time and a few wait, so
// that no client takes the workers from the others.
class Talk : public std::enable_shared_from_this<Talk> {
 public:
  Talk(const Api& api, Request request, std::shared_ptr<Stream> stream)
      : api_(api), request_(std::move(request)), stream_(std::move(stream)) {}

  // On the streams' thread alone.
  void Take(std::string_view bytes) {
    if (is_closed_) return;
    reader_.Append(bytes);
    while (auto message = reader_.Next()) {
      switch (message->kind) {
        case Message::Kind::kText:
          Queue(std::move(message->text));
          break;
        case Message::Kind::kPing:
          stream_->Send(PongFrame(message->text));
          break;
        case Message::Kind::kPong:
          break;
        case Message::Kind::kClose:
          Close(message->code, "");
          break;
      }
      if (is_closed_) return;
    }
  }

  // By any thread. What waits is not answered any more.
  void Close(std::uint16_t code, std::string_view reason) {
    if (is_closed_.exchange(true)) return;
    stream_->Send(CloseFrame(code, reason));
    stream_->End();
  }

 private:
  void Queue(std::string text) {
    bool is_first = false;
    bool is_too_many = false;
    {
      const std::lock_guard lock(mutex_);
      is_first = !std::exchange(is_answering_, true);
      is_too_many = waiting_.size() >= kMostAnswersWaiting;
      if (!is_too_many) waiting_.push_back(std::move(text));
    }
    if (is_too_many) return Close(kPolicy, "too many answers wait");
    if (is_first) AnswerNext();
  }

  // An answer may ask the platform about a membership, for which the streams' thread must not wait.
  void AnswerNext() {
    const bool is_taken = api_.answering.Offer([self = shared_from_this()] {
      if (self->is_closed_) return;
      std::string text;
      {
        const std::lock_guard lock(self->mutex_);
        text = std::move(self->waiting_.front());
        self->waiting_.pop_front();
      }
      self->Answer(text);
      {
        const std::lock_guard lock(self->mutex_);
        if (self->waiting_.empty()) {
          self->is_answering_ = false;
          return;
        }
      }
      self->AnswerNext();  // behind those of other sockets
    });
    if (is_taken) return;
    api_.shed("answers");
    Close(kTryAgainLater, "too much is going on here");
  }

  // `{"type": "tool_approval", "ref"?, …}`, the rest as in the body of a POST; the answer repeats
  // `ref` and has the status that the POST would have had.
  void Answer(const std::string& text) {
    const router::JsonParsed parsed = router::ParseJson(text);
    Json ref;
    Response response;
    if (!parsed.value || !parsed.value->IsObject() || parsed.out_of_range) {
      response = ToResponse({ProblemCode::kMalformedJson, "the message is no JSON object"});
    } else {
      if (const Json* its = parsed.value->Find("ref")) ref = *its;
      response = Judge(*parsed.value);
    }
    Json data = Json::MakeObject({{"status", response.status}, {"ref", std::move(ref)}});
    if (const auto body = router::ParseJson(response.body).value; body && body->IsObject()) {
      data.Set("code", body->TextAt("code"));
      data.Set("detail", body->TextAt("detail"));
      if (const Json* errors = body->Find("errors")) data.Set("errors", *errors);
    }
    stream_->Send(TextFrame(
        Json::MakeObject({{"type", "tool_approval.result"}, {"data", std::move(data)}}).Dump()));
  }

  // With the credential of the handshake, looked at again: it may be over by now.
  Response Judge(const Json& message) {
    const auto identified = ApiCall::Identify(api_, request_);
    if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
    Json body = Json::MakeObject();
    for (const auto& member : message.object()) {
      if (member.key != "type" && member.key != "ref") body.Set(member.key, member.value);
    }
    const Json* ref = message.Find("ref");
    const bool is_ref = ref == nullptr || (ref->IsString() && ref->string().size() <= kMostRefs);
    if (message.TextAt("type") != "tool_approval" || !is_ref) {
      return ToResponse({ProblemCode::kInvalidRequest,
                         "a field is wrong",
                         {{is_ref ? "/type" : "/ref", "is none that this takes"}}});
    }
    return AnswerInSession(api_, std::get<ApiCall>(identified), request_.Param("id"),
                           ReadAnswerBody(body));
  }

  const Api& api_;
  const Request request_;
  const std::shared_ptr<Stream> stream_;
  WebSocketReader reader_;
  std::atomic<bool> is_closed_{false};

  std::mutex mutex_;  // guards what follows
  std::deque<std::string> waiting_;
  bool is_answering_ = false;
};

struct Protocols {
  bool has_ours = false;
  std::string token;
};

Protocols ReadProtocols(const Request& request) {
  Protocols protocols;
  const std::string* header = request.Header("sec-websocket-protocol");
  if (header == nullptr) return protocols;
  std::string_view rest = *header;
  while (true) {
    const auto comma = rest.find(',');
    const std::string_view one = TrimBlanks(rest.substr(0, comma));
    if (one == kProtocol) protocols.has_ours = true;
    if (one.starts_with(kTokenProtocol)) protocols.token = one.substr(kTokenProtocol.size());
    if (comma == std::string_view::npos) return protocols;
    rest.remove_prefix(comma + 1);
  }
}

Response OpenSocket(const Api& api, const Request& sent) {
  const Protocols protocols = ReadProtocols(sent);
  Request request = sent;
  if (!protocols.token.empty() && request.Header("authorization") == nullptr) {
    request.headers.emplace_back("authorization", protocols.token);
  }
  auto read = ReadAsked(api, request);
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  auto head = WebSocketHead(request, protocols.has_ours ? kProtocol : "");
  if (!head) {
    return ToResponse({ProblemCode::kMalformedRequest, "this path takes a WebSocket's handshake"});
  }
  auto& asked = std::get<Asked>(read);
  return OpenStream(
      api, asked.session, *std::move(head),
      [&api, request = std::move(request), session = asked.session, start = std::move(asked.start),
       longest = LongestOf(api, asked.call)](const std::shared_ptr<Stream>& stream) {
        const auto talk = std::make_shared<Talk>(api, request, stream);
        api.feed.Follow(
            session, start, stream, [](std::string_view id, std::string_view type, Json data) {
              Json event = Json::MakeObject({{"type", type}, {"data", std::move(data)}});
              if (!id.empty()) event.Set("id", id);
              return TextFrame(event.Dump());
            });
        return Streams::Wishes{
            .beat = PingFrame(),
            .on_bytes = [talk](std::string_view bytes) { talk->Take(bytes); },
            .longest = longest,
            .on_old = [talk] { talk->Close(kNormal, "come back with last_event_id"); }};
      });
}

}  // namespace

void AddStreamRoutes(RouteTable& routes, const Api& api) {
  routes.Add("GET", "/v1/agents/sessions/{id}/events",
             [&api](const Request& request) { return Events(api, request); });
  routes.Add("GET", "/v1/agents/sessions/{id}/socket",
             [&api](const Request& request) { return OpenSocket(api, request); });
}

}  // namespace writ::bot
