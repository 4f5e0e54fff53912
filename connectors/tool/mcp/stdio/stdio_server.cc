#include "connectors/tool/mcp/stdio/stdio_server.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "connectors/http/retry.h"

namespace writ::connectors {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A program that ran so long is not one that cannot start.
constexpr std::chrono::seconds kLongLife{60};
constexpr int kMostUntold = 100;
constexpr BackoffRange kPause{milliseconds(500), milliseconds(30'000), 0};

McpAnswer Unanswered(McpAnswer::Kind kind, std::string what) {
  McpAnswer answer;
  answer.kind = kind;
  answer.what = std::move(what);
  return answer;
}

// Of what surely never left: a session that is gone may be opened anew.
McpAnswer Unsent(const McpTransport::Request& request, std::string what) {
  const bool has_session = request.message.session != 0 && !request.opens;
  return Unanswered(has_session ? McpAnswer::Kind::kSessionGone : McpAnswer::Kind::kNotSent,
                    std::move(what));
}

}  // namespace

StdioServer::StdioServer(World world, Options options)
    : world_(world),
      options_(std::move(options)),
      sent_(options_.command),
      noise_(world_.log, options_.name, sent_) {}

void StdioServer::Ask(const std::shared_ptr<Pending>& pending) {
  const McpTransport::Request& request = pending->request;
  const std::uint64_t session = request.message.session;
  if (pending->stop.stop_requested()) {
    return Deliver(pending, Unanswered(McpAnswer::Kind::kNotSent, "stopped before it was sent"));
  }
  if (leaving_) {
    return Deliver(pending, Unanswered(McpAnswer::Kind::kNotSent, "this node is ending"));
  }
  const bool serves = current_ != nullptr && CanServe(request);
  if (!serves && !request.opens && session != 0) {
    return Deliver(pending, Unsent(request, "the process of that session has ended"));
  }
  if (!serves && current_ != nullptr) Retire(current_);
  if (current_ == nullptr) {
    if (std::string why = Begin(); !why.empty()) {
      return Deliver(pending, Unanswered(McpAnswer::Kind::kNotSent, std::move(why)));
    }
  }
  if (request.opens) current_->session = session;
  Send(current_, pending);
}

// What opens a session takes a process that has none. Each era counts its ids from 1: a late answer
// to the one's must not be taken for the other's.
bool StdioServer::CanServe(const McpTransport::Request& request) const {
  const std::uint64_t session = request.message.session;
  if (current_->process->ending()) return false;
  if (current_->out.contains(request.id) || current_->given_up.MayBeAnswered(request.id)) {
    return false;
  }
  return current_->session == session || (request.opens && current_->session == 0);
}

std::string StdioServer::Begin() {
  const auto now = Steady::now();
  if (now < not_before_) {
    return "its process ended " + std::to_string(short_lives_) +
           " times in a row; it is not started again yet";
  }
  const auto life = std::make_shared<Life>();
  const auto self = shared_from_this();
  world_.loop.Add(self);
  StdioProcess::Events events;
  events.on_line = [self, life](std::string_view line) { self->TakeLine(life, line); };
  events.on_error_line = [self](std::string_view line) {
    self->noise_.TakeError(line, Steady::now());
  };
  events.on_too_long = [self, life] { self->TakeTooLong(life); };
  events.on_end = [self, life](const std::string& how) { self->TakeEnd(life, how); };
  auto started =
      StdioProcess::Start(world_.loop, options_.command, options_.longest_line, std::move(events));
  if (auto* why = std::get_if<std::string>(&started)) {
    world_.log.Warn("mcp.process_not_started", {{"connector", options_.name}, {"why", *why}});
    return std::move(*why);
  }
  life->process = std::get<std::shared_ptr<StdioProcess>>(std::move(started));
  life->begun = now;
  current_ = life;
  world_.log.Info("mcp.process_started", {{"connector", options_.name}});
  return "";
}

void StdioServer::Retire(const LifePtr& life) {
  const LifePtr& kept = *ending_.insert(life).first;  // `life` may be current_ itself
  kept->retired = !kept->process->ending();           // else it has ended by itself
  if (current_ == kept) current_.reset();
  kept->process->End();
}

void StdioServer::Send(const LifePtr& life, const std::shared_ptr<Pending>& pending) {
  const McpTransport::Request& request = pending->request;
  if (!life->process->Takes(request.message.body)) {
    return Deliver(pending, Unanswered(McpAnswer::Kind::kNotSent, "its process reads nothing"));
  }
  if (pending->on_other) life->on_other = pending->on_other;
  sent_.Add(request.message.body);
  life->out[request.id] = pending;
  SetTimer(life, *pending, pending->begun + request.timeout);
  const std::int64_t id = request.id;
  const std::weak_ptr<Life> weak = life;
  // Runs on the thread that requests the stop, or right here: so it only leaves word.
  pending->on_stop.emplace(pending->stop, [self = shared_from_this(), weak, id] {
    self->world_.loop.Post([self, weak, id] {
      if (const LifePtr its = weak.lock()) self->GiveUp(its, id, "stopped");
    });
  });
  pending->ticket = life->process->Write(request.message.body);
}

void StdioServer::SetTimer(const LifePtr& life, Pending& pending, router::SteadyPoint due) {
  world_.loop.timers().Cancel(pending.timer);
  const std::int64_t id = pending.request.id;
  pending.timer = world_.loop.timers().Set(due, [self = shared_from_this(), life, id] {
    self->GiveUp(life, id, "no answer within its time");
  });
}

void StdioServer::Prolong(const LifePtr& life, const Incoming& message) {
  const std::optional<std::int64_t> id = ProgressOf(message);
  const auto found = id ? life->out.find(*id) : life->out.end();
  if (found == life->out.end()) return;
  Pending& pending = *found->second;
  const McpTransport::Request& request = pending.request;
  const auto last = pending.begun + std::max(request.timeout, request.longest);
  SetTimer(life, pending, std::min<router::SteadyPoint>(Steady::now() + request.timeout, last));
}

// What waits for room in the pipe was not sent, and will not be.
void StdioServer::GiveUp(const LifePtr& life, std::int64_t id, const char* why) {
  const auto found = life->out.find(id);
  if (found == life->out.end()) return;  // it was answered first
  const std::shared_ptr<Pending> pending = found->second;
  const bool unsent = life->process->TakeBack(pending->ticket);
  if (!unsent) life->given_up.Add(id);
  Finish(life, pending,
         Unanswered(unsent ? McpAnswer::Kind::kNotSent : McpAnswer::Kind::kAbandoned, why));
}

std::string StdioServer::Tell(McpTransport::Message message) {
  if (current_ == nullptr || current_->process->ending() || current_->session != message.session) {
    return "the process of that session has ended";
  }
  if (!current_->process->Takes(message.body)) return "its process reads nothing";
  current_->process->Write(std::move(message.body));
  return "";
}

void StdioServer::End(std::uint64_t session) {
  if (current_ == nullptr) return;
  if (session == 0 || current_->session == session) Retire(current_);
}

void StdioServer::Leave() {
  leaving_ = true;
  if (current_ != nullptr) Retire(current_);
}

void StdioServer::TakeLine(const LifePtr& life, std::string_view line) {
  const std::vector<Incoming> messages = ReadIncoming(line);
  if (messages.empty()) noise_.TakeNoMessage(line.size(), Steady::now());
  for (const Incoming& message : messages) {
    switch (message.kind) {
      case Incoming::Kind::kResult:
      case Incoming::Kind::kError:
        TakeAnswer(life, message);
        break;
      case Incoming::Kind::kRequest:
      case Incoming::Kind::kNotification:
        TakeOther(life, message);
        break;
    }
  }
}

// An answer without an id, or with one that nobody waits for, is nobody's.
void StdioServer::TakeAnswer(const LifePtr& life, const Incoming& message) {
  const std::optional<std::int64_t> id = AnsweredBy(message);
  if (id) life->given_up.Answered(*id);
  const auto found = id ? life->out.find(*id) : life->out.end();
  if (found == life->out.end()) return;
  const std::shared_ptr<Pending> pending = found->second;
  McpAnswer answer;
  answer.kind =
      message.kind == Incoming::Kind::kResult ? McpAnswer::Kind::kResult : McpAnswer::Kind::kError;
  answer.payload = message.payload;
  Finish(life, pending, std::move(answer));
}

void StdioServer::TakeOther(const LifePtr& life, const Incoming& message) {
  Prolong(life, message);
  if (!life->on_other) return;
  // A server may talk faster than anybody listens.
  if (*life->untold >= kMostUntold) return noise_.TakeOneTooMany(Steady::now());
  ++*life->untold;
  world_.http.After(milliseconds(0), {},
                    [untold = life->untold, on_other = life->on_other, message] {
                      --*untold;
                      on_other(message);
                    });
}

// Whose answer it was cannot be read; where only one waits it can be told.
void StdioServer::TakeTooLong(const LifePtr& life) {
  world_.log.Warn("mcp.line_too_long", {{"connector", options_.name}});
  if (life->out.size() != 1) return;
  const std::shared_ptr<Pending> pending = life->out.begin()->second;
  Finish(life, pending, Unanswered(McpAnswer::Kind::kLost, "the answer was larger than allowed"));
}

void StdioServer::TakeEnd(const LifePtr& life, const std::string& how) {
  noise_.TellLeftOut();
  const auto now = Steady::now();
  if (!life->retired) {
    short_lives_ = now - life->begun >= kLongLife ? 1 : short_lives_ + 1;
    // The first end is bad luck.
    const milliseconds pause =
        short_lives_ > 1 ? BackoffDelay(kPause, short_lives_ - 2, 0) : milliseconds(0);
    not_before_ = now + pause;
    world_.log.Warn("mcp.process_ended", {{"connector", options_.name},
                                          {"how", how},
                                          {"requests_out", std::to_string(life->out.size())},
                                          {"pause_ms", std::to_string(pause.count())}});
  } else {
    world_.log.Info("mcp.process_ended", {{"connector", options_.name}, {"how", how}});
  }
  ending_.erase(life);
  if (current_ == life) current_.reset();
  while (!life->out.empty()) {
    const std::shared_ptr<Pending> pending = life->out.begin()->second;
    const bool left = life->process->HasBegun(pending->ticket);
    Finish(life, pending,
           left ? Unanswered(McpAnswer::Kind::kLost, "its process ended before it answered")
                : Unsent(pending->request, "its process ended"));
  }
  life->on_other = nullptr;
}

void StdioServer::Finish(const LifePtr& life, const std::shared_ptr<Pending>& pending,
                         McpAnswer answer) {
  life->out.erase(pending->request.id);
  world_.loop.timers().Cancel(pending->timer);
  Deliver(pending, std::move(answer));
}

void StdioServer::Deliver(const std::shared_ptr<Pending>& pending, McpAnswer answer) {
  pending->on_stop.reset();
  world_.http.After(milliseconds(0), {},
                    [pending, answer = std::move(answer)] { pending->done(answer); });
}

}  // namespace writ::connectors
