#include "tests/chaos/people.h"

#include <mutex>
#include <utility>
#include <variant>

#include "router/base/json.h"
#include "tests/chaos/checker.h"

namespace writ::chaos {

using router::Json;
using tests::HeldCall;

namespace {

constexpr Milliseconds kAttempt{6000};
constexpr Milliseconds kPause{500};
constexpr int kMostAttempts = 12;
constexpr const char* kBackend = "backend";

// One answer of one person, asked again until it is known what became of it.
struct Intent {
  HeldCall held = {};
  std::string by = {};
  bool allowed = true;
  bool is_outside = false;
  int node = -1;  // the first that is asked; then others
  int attempts = 0;
  // Once it is known, or given up.
  std::function<void()> then = {};
};

bool IsKnown(int status) { return status != 0 && status < 500; }

}  // namespace

struct People::State : std::enable_shared_from_this<People::State> {
  State(tests::World& its_world, router::HttpClient& client, const RunClock& its_clock,
        UrlOf its_urls, std::size_t its_nodes)
      : world(its_world),
        http(client),
        clock(its_clock),
        url_of(std::move(its_urls)),
        nodes(its_nodes) {}

  void GiveAfter(Milliseconds after, Intent intent, const std::stop_token& stop) {
    {
      const std::lock_guard lock(mutex);
      ++open;
    }
    http.After(after, stop, [self = shared_from_this(), intent = std::move(intent), stop] {
      self->Give(intent, stop);
    });
  }

  void Give(Intent intent, const std::stop_token& stop) {
    if (stop.stop_requested()) return;
    router::HttpRequest request;
    request.method = "POST";
    request.url =
        url_of(intent.node) + "/v1/agents/conversations/" + intent.held.cid + "/tool_approvals";
    request.timeout = kAttempt;
    request.body = Json::MakeObject({{"tool_call_id", intent.held.call},
                                     {"request_id", intent.held.request},
                                     {"allowed", intent.allowed}})
                       .Dump();
    const tests::Caller caller = intent.by == kBackend ? world.Backend() : world.As(intent.by);
    request.headers = {{"Content-Type", "application/json"}};
    for (const auto& [name, value] : caller.headers) request.headers.emplace_back(name, value);
    const Moment sent = clock.Now();
    http.Send(std::move(request), stop,
              [self = shared_from_this(), intent = std::move(intent), sent, stop](
                  const router::HttpOutcome& outcome) { self->End(intent, sent, outcome, stop); });
  }

  void End(Intent intent, Moment sent, const router::HttpOutcome& outcome,
           const std::stop_token& stop) {
    const auto* response = std::get_if<router::HttpResponse>(&outcome);
    const int status = response == nullptr ? 0 : response->status;
    {
      const std::lock_guard lock(mutex);
      answers.push_back({intent.held.call, intent.by, intent.allowed, intent.is_outside, sent,
                         clock.Now(), status});
    }
    if (!IsKnown(status) && ++intent.attempts < kMostAttempts && !stop.stop_requested()) {
      intent.node = intent.attempts % static_cast<int>(nodes);
      http.After(kPause, stop, [self = shared_from_this(), intent = std::move(intent), stop] {
        self->Give(intent, stop);
      });
      return;
    }
    if (intent.then && !stop.stop_requested()) intent.then();
    const std::lock_guard lock(mutex);
    --open;
  }

  tests::World& world;
  router::HttpClient& http;
  const RunClock& clock;
  const UrlOf url_of;
  const std::size_t nodes;
  mutable std::mutex mutex;  // guards both
  std::vector<Answer> answers;
  std::size_t open = 0;
};

People::People(tests::World& world, router::HttpClient& http, const RunClock& clock, UrlOf url_of,
               std::size_t nodes, const std::vector<PlannedMessage>& messages)
    : world_(world), state_(std::make_shared<State>(world, http, clock, std::move(url_of), nodes)) {
  for (const PlannedMessage& message : messages) messages_[message.word] = message;
}

People::~People() { stop_.request_stop(); }

void People::LookAt(const std::set<std::string>& cids) {
  for (const std::string& cid : cids) {
    for (const HeldCall& held : world_.HeldCalls(cid)) {
      if (!seen_.insert(held.call).second) continue;
      const Json* approval = held.step.Find("approval");
      const std::string word = WordIn(approval == nullptr ? "" : approval->Dump());
      const auto message = messages_.find(word);
      if (message != messages_.end()) Decide(message->second, held);
    }
  }
}

void People::Decide(const PlannedMessage& message, const HeldCall& held) {
  const std::stop_token stop = stop_.get_token();
  const std::string other = message.writer == "ben-2" ? "anya-1" : "ben-2";
  const int here = static_cast<int>(seen_.size() % state_->nodes);
  const int there = static_cast<int>((seen_.size() + 1) % state_->nodes);
  const auto give = [&](Intent intent) {
    intent.held = held;
    state_->GiveAfter(message.answer_after, std::move(intent), stop);
  };
  switch (message.consent) {
    case Consent::kApprove:
      give({.by = message.writer});
      return;
    case Consent::kDecline:
      give({.by = message.writer, .allowed = false});
      return;
    case Consent::kTwoAtOnce:
      give({.by = message.writer, .node = here});
      give({.by = message.writer, .allowed = false, .node = there});
      return;
    case Consent::kBackendToo:
      give({.by = message.writer, .node = here});
      give({.by = kBackend, .allowed = false, .node = there});
      return;
    case Consent::kTwice:
      give({.by = message.writer, .node = here});
      give({.by = message.writer, .node = there});
      return;
    case Consent::kWrongFirst: {
      const Intent right = {.held = held, .by = message.writer, .node = there};
      give({.by = other, .node = here, .then = [state = state_, right, stop] {
              state->GiveAfter(Milliseconds(0), right, stop);
            }});
      return;
    }
    case Consent::kWrongOnly:
      give({.by = other});
      return;
    case Consent::kNobody:
      return;
    case Consent::kWriterLeaves: {
      world_.chat().world().RemoveMember(held.cid, message.writer);
      const Intent back = {.held = held, .by = message.writer, .node = there};
      give({.by = message.writer,
            .is_outside = true,
            .node = here,
            .then = [state = state_, back, stop] {
              state->world.chat().world().AddMember(back.held.cid, back.by);
              state->GiveAfter(kPause, back, stop);
            }});
      return;
    }
  }
}

std::vector<Answer> People::answers() const {
  const std::lock_guard lock(state_->mutex);
  return state_->answers;
}

bool People::IsIdle() const {
  const std::lock_guard lock(state_->mutex);
  return state_->open == 0;
}

}  // namespace writ::chaos
