#include "connectors/tool/mcp/handshake_era.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "connectors/http/ascii.h"
#include "connectors/tool/mcp/writing.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::chrono::milliseconds kTellTimeout{5000};
// The answer in doubt is there already; somebody waits for it.
constexpr std::chrono::milliseconds kProbeTimeout{3000};

McpAnswer NotSent(const NoSession& none) {
  McpAnswer answer;
  answer.kind = McpAnswer::Kind::kNotSent;
  answer.what = none.why;
  answer.status = none.status;
  return answer;
}

McpAnswer NoTools() {
  McpAnswer answer;
  answer.kind = McpAnswer::Kind::kResult;
  answer.payload = Json::MakeObject({{"tools", Json::MakeArray()}});
  return answer;
}

McpAnswer SessionGone() {
  McpAnswer answer;
  answer.kind = McpAnswer::Kind::kSessionGone;
  answer.what = "the server does not know the session";
  return answer;
}

// Only words that say that the session itself is the reason: a call is sent anew on their strength.
bool NamesTheSession(const McpAnswer& answer) {
  constexpr std::array<std::string_view, 7> kReasons{
      "no valid session", "session not found",   "unknown session",       "invalid session",
      "session expired",  "session has expired", "session does not exist"};
  const std::string body = InLowerCase(answer.body);
  return std::ranges::any_of(
      kReasons, [&](std::string_view reason) { return body.find(reason) != std::string::npos; });
}

}  // namespace

HandshakeEra::HandshakeEra(World world, McpOptions options, std::shared_ptr<McpTransport> transport,
                           std::function<void()> on_tools_changed)
    : world_(world),
      options_(std::move(options)),
      transport_(std::move(transport)),
      on_tools_changed_(std::move(on_tools_changed)) {}

void HandshakeEra::Ask(Question question, std::stop_token stop, Done done) {
  const auto timeout = question.timeout;
  auto waiter =
      std::make_shared<Waiter<Opened>>([self = shared_from_this(), question = std::move(question),
                                        stop, done = std::move(done)](const Opened& opened) {
        if (const auto* none = std::get_if<NoSession>(&opened)) return done(NotSent(*none));
        self->AskIn(std::get<McpSession>(opened), question, stop, done);
      });
  McpSession session;
  bool opens = false;
  {
    const std::lock_guard lock(mutex_);
    if (state_ == State::kOpen) {
      session = session_;
    } else {
      waiting_.push_back(waiter);
      opens = std::exchange(state_, State::kOpening) == State::kNone;
    }
  }
  if (session.number != 0) return waiter->GoOn(session);
  world_.http.After(timeout, stop,
                    [waiter] { waiter->GoOn(NoSession{"the session is not open yet"}); });
  if (opens) Open();
}

void HandshakeEra::Open() {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = ++last_number_;
  }
  const auto handshake = std::make_shared<Handshake>(
      transport_, options_.timeout,
      [self = shared_from_this()](const Opened& opened) { self->TakeSession(opened); });
  McpSession opening;
  opening.number = number;
  handshake->Start(++last_id_, number,
                   [self = shared_from_this(), opening](const Incoming& message) {
                     self->TakeOther(opening, message);
                   });
}

void HandshakeEra::TakeSession(const Opened& opened) {
  if (const auto* none = std::get_if<NoSession>(&opened)) {
    world_.log.Warn("mcp.no_session", {{"connector", options_.name}, {"why", none->why}});
  }
  std::vector<std::shared_ptr<Waiter<Opened>>> waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto* session = std::get_if<McpSession>(&opened);
    state_ = session == nullptr ? State::kNone : State::kOpen;
    session_ = session == nullptr ? McpSession{} : *session;
    waiting.swap(waiting_);
  }
  for (const auto& waiter : waiting) waiter->GoOn(opened);
}

void HandshakeEra::Forget(const McpSession& session) {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::kOpen || session_.number != session.number) return;
    state_ = State::kNone;
    session_ = {};
  }
  world_.log.Info("mcp.session_gone", {{"connector", options_.name}});
}

void HandshakeEra::AskIn(const McpSession& session, const Question& question,
                         const std::stop_token& stop, Done done) {
  if (question.method == "tools/list" && !session.has_tools) {
    world_.log.Warn("mcp.no_tools", {{"connector", options_.name}});
    return world_.http.After(std::chrono::milliseconds{0}, stop,
                             [done = std::move(done)] { done(NoTools()); });
  }
  const std::int64_t id = ++last_id_;
  Start(session, question, id, stop,
        [self = shared_from_this(), session, question, id, stop,
         done = std::move(done)](McpAnswer answer) {
          // A late answer is of no use; the server may save itself the rest.
          if (answer.kind == McpAnswer::Kind::kAbandoned) {
            self->Tell(session, WriteNotification("notifications/cancelled",
                                                  R"({"requestId":)" + std::to_string(id) +
                                                      R"(,"reason":"nobody waits any more"})"));
          }
          self->TakeAnswer(session, question, stop, std::move(answer), done);
        });
}

// 404 to a session's id: it is gone, and nothing was processed. Real servers say 400 or 410 too:
// that is the session's fault where they say so, or where a ping in it fails as well.
void HandshakeEra::TakeAnswer(const McpSession& session, const Question& question,
                              const std::stop_token& stop, McpAnswer answer, const Done& done) {
  if (answer.kind == McpAnswer::Kind::kSessionGone) Forget(session);  // a pipe knows by itself
  const bool in_doubt = answer.kind == McpAnswer::Kind::kStatus && !session.id.empty() &&
                        (answer.status == 400 || answer.status == 404 || answer.status == 410);
  if (!in_doubt) return done(std::move(answer));
  if (answer.status == 404 || NamesTheSession(answer)) {
    Forget(session);
    return done(SessionGone());
  }
  Probe(session, question, stop, std::move(answer), done);
}

// A call is not repeated on the strength of such a probe: it gets its 400, and only what comes
// next has a new session.
void HandshakeEra::Probe(const McpSession& session, const Question& question,
                         const std::stop_token& stop, McpAnswer answer, Done done) {
  Question ping;
  ping.method = "ping";
  ping.timeout = std::min(options_.timeout, kProbeTimeout);
  const bool once = question.once;
  Start(session, ping, ++last_id_, stop,
        [self = shared_from_this(), session, once, answer = std::move(answer),
         done = std::move(done)](const McpAnswer& ponged) {
          const bool alive = ponged.kind != McpAnswer::Kind::kStatus;
          if (!alive) self->Forget(session);
          done(alive || once ? answer : SessionGone());
        });
}

void HandshakeEra::Start(const McpSession& session, const Question& question, std::int64_t id,
                         const std::stop_token& stop, Done done) {
  McpTransport::Request request;
  Json meta = question.meta;
  if (question.longest > question.timeout) meta.Set("progressToken", id);
  request.message.body = WriteRequest(id, question.method, WithMeta(question.params, meta));
  request.message.headers = HeadersOf(session);
  if (!question.trace.empty()) {
    request.message.headers.emplace_back("traceparent", question.trace);
  }
  request.message.session = session.number;
  request.id = id;
  request.once = question.once;
  request.resumable = true;
  request.timeout = question.timeout;
  request.longest = question.longest;
  transport_->Ask(
      std::move(request),
      [self = shared_from_this(), session](const Incoming& message) {
        self->TakeOther(session, message);
      },
      stop, std::move(done));
}

void HandshakeEra::TakeOther(const McpSession& session, const Incoming& message) {
  if (message.kind == Incoming::Kind::kRequest) {
    Tell(session, AnswerTo(message.id, message.method));
  } else if (message.method == "notifications/tools/list_changed") {
    on_tools_changed_();
  }
}

void HandshakeEra::Tell(const McpSession& session, std::string body) {
  transport_->Tell({std::move(body), HeadersOf(session), session.number}, kTellTimeout, nullptr);
}

void HandshakeEra::Close(std::function<void()> closed) {
  McpSession session;
  {
    const std::lock_guard lock(mutex_);
    if (state_ == State::kOpen) {
      session = std::exchange(session_, {});
      state_ = State::kNone;
    }
  }
  if (session.id.empty() && !transport_->IsPipe()) return closed();
  transport_->End({"", HeadersOf(session), session.number}, std::move(closed));
}

}  // namespace writ::connectors
