#include "connectors/tool/mcp/auto_era.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "connectors/tool/mcp/modern_error.h"

namespace writ::connectors {
namespace {

using router::Json;

// A process that knows nothing of `server/discover` may never answer it.
constexpr std::chrono::milliseconds kLongestOnPipe{5000};

bool Lists(const Json& versions, std::string_view version) {
  return versions.IsArray() && std::ranges::any_of(versions.array(), [&](const Json& one) {
           return one == Json(version);
         });
}

EraFound EraOfResult(const Json& result) {
  const Json* versions = result.Find("supportedVersions");
  const bool ours = versions != nullptr && Lists(*versions, kStatelessVersion);
  return ours ? EraFound::kStateless : EraFound::kHandshake;
}

EraFound EraOfError(const McpAnswer& answer) {
  if (!IsModernError(answer)) return EraFound::kHandshake;
  const bool speaks_another =
      ErrorCodeOf(answer) == kUnsupportedVersion && !NamesVersion(answer, kStatelessVersion);
  return speaks_another ? EraFound::kHandshake : EraFound::kStateless;
}

// Not the server's own word, or one that it gives to everybody.
bool SaysNothing(int status) {
  constexpr std::array kStatuses{401, 403, 407, 408, 429, 502, 503, 504};
  return std::ranges::find(kStatuses, status) != kStatuses.end();
}

McpAnswer NotSent(const McpAnswer& discovery) {
  McpAnswer answer;
  answer.kind = McpAnswer::Kind::kNotSent;
  answer.status = discovery.status;
  answer.what = "server/discover: " + discovery.what;
  return answer;
}

}  // namespace

EraFound EraOf(const McpAnswer& answer, bool pipe) {
  switch (answer.kind) {
    case McpAnswer::Kind::kResult:
      return EraOfResult(answer.payload);
    case McpAnswer::Kind::kError:
      return EraOfError(answer);
    case McpAnswer::Kind::kStatus:
      return SaysNothing(answer.status) ? EraFound::kUnknown : EraOfError(answer);
    case McpAnswer::Kind::kLost:
      return EraFound::kHandshake;  // no answer of that era; the handshake says what it is
    case McpAnswer::Kind::kAbandoned:
      return pipe ? EraFound::kHandshake : EraFound::kUnknown;
    case McpAnswer::Kind::kSessionGone:
    case McpAnswer::Kind::kNotSent:
      return EraFound::kUnknown;
  }
  return EraFound::kUnknown;
}

void AutoEra::Ask(Question question, std::stop_token stop, Done done) {
  const auto timeout = question.timeout;
  auto waiter =
      std::make_shared<Waiter<Found>>([self = shared_from_this(), question = std::move(question),
                                       stop, done = std::move(done)](const Found& found) {
        if (const auto* none = std::get_if<McpAnswer>(&found)) return done(*none);
        self->AskIn(std::get<std::shared_ptr<Era>>(found), question, stop, done);
      });
  std::shared_ptr<Era> era;
  bool discovers = false;
  {
    const std::lock_guard lock(mutex_);
    era = era_;
    if (era == nullptr) {
      waiting_.push_back(waiter);
      discovers = !std::exchange(discovering_, true);
    }
  }
  if (era != nullptr) return waiter->GoOn(era);
  http_.After(timeout, stop, [waiter] {
    McpAnswer late;
    late.what = "no answer yet";
    waiter->GoOn(NotSent(late));
  });
  if (discovers) Discover();
}

void AutoEra::Discover() {
  Question question;
  question.method = "server/discover";
  question.timeout = pipe_ ? std::min(timeout_, kLongestOnPipe) : timeout_;
  eras_.stateless->Ask(
      std::move(question), {},
      [self = shared_from_this()](const McpAnswer& answer) { self->TakeDiscovery(answer); });
}

void AutoEra::TakeDiscovery(const McpAnswer& answer) {
  Found found = NotSent(answer);
  switch (EraOf(answer, pipe_)) {
    case EraFound::kHandshake:
      found = eras_.handshake;
      break;
    case EraFound::kStateless:
      found = eras_.stateless;
      break;
    case EraFound::kUnknown:
      break;
  }
  std::vector<std::shared_ptr<Waiter<Found>>> waiting;
  {
    const std::lock_guard lock(mutex_);
    discovering_ = false;
    if (const auto* era = std::get_if<std::shared_ptr<Era>>(&found)) era_ = *era;
    waiting.swap(waiting_);
  }
  for (const auto& waiter : waiting) waiter->GoOn(found);
}

void AutoEra::AskIn(const std::shared_ptr<Era>& era, Question question, std::stop_token stop,
                    Done done) {
  era->Ask(std::move(question), std::move(stop),
           [self = shared_from_this(), era, done = std::move(done)](McpAnswer answer) {
             self->Reconsider(era, answer);
             done(std::move(answer));
           });
}

// A server that opens no session, or dislikes what was well formed, may speak another era since its
// last start.
void AutoEra::Reconsider(const std::shared_ptr<Era>& era, const McpAnswer& answer) {
  const bool disliked = answer.kind == McpAnswer::Kind::kStatus &&
                        (answer.status == 400 || answer.status == 404 || answer.status == 405);
  const bool wrong =
      era == eras_.handshake
          ? answer.kind == McpAnswer::Kind::kNotSent
          : disliked && (ErrorCodeOf(answer) == 0 || ErrorCodeOf(answer) == kUnsupportedVersion ||
                         ErrorCodeOf(answer) == -32000);
  if (!wrong) return;
  const std::lock_guard lock(mutex_);
  if (era_ == era) era_ = nullptr;
}

void AutoEra::Close(std::function<void()> closed) {
  std::shared_ptr<Era> era;
  {
    const std::lock_guard lock(mutex_);
    era = era_;
  }
  (era != nullptr ? era : eras_.handshake)->Close(std::move(closed));
}

}  // namespace writ::connectors
