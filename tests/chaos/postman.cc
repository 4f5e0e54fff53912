#include "tests/chaos/postman.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace writ::chaos {
namespace {

constexpr Milliseconds kAttempt{6000};  // as the service has it
constexpr Milliseconds kPause{400};

}  // namespace

struct Postman::State : std::enable_shared_from_this<Postman::State> {
  State(tests::World& its_world, router::HttpClient& client, const RunClock& its_clock,
        UrlOf its_urls)
      : world(its_world), http(client), clock(its_clock), url_of(std::move(its_urls)) {}

  struct Letter {
    Said said;
    std::string body;
    std::size_t on_the_way = 0;  // deliveries that are planned or out
  };

  void Send(const std::string& word, int node, const std::stop_token& stop) {
    router::HttpRequest request;
    request.method = "POST";
    request.url = url_of(node) + "/v1/hooks/acme";
    request.timeout = kAttempt;
    {
      const std::lock_guard lock(mutex);
      Letter& letter = letters.at(word);
      if (!letter.said.first_sent) letter.said.first_sent = clock.Now();
      request.body = letter.body;
      ++deliveries;
    }
    for (const auto& [name, value] : world.SignedHeaders(request.body)) {
      request.headers.emplace_back(name, value);
    }
    http.Send(std::move(request), stop,
              [self = shared_from_this(), word, stop](const router::HttpOutcome& outcome) {
                self->End(word, outcome, stop);
              });
  }

  void End(const std::string& word, const router::HttpOutcome& outcome,
           const std::stop_token& stop) {
    const auto* response = std::get_if<router::HttpResponse>(&outcome);
    {
      const std::lock_guard lock(mutex);
      Letter& letter = letters.at(word);
      if (response != nullptr && response->status == 200 && !letter.said.acknowledged) {
        letter.said.acknowledged = clock.Now();
      }
      if (letter.said.acknowledged || letter.on_the_way > 1 || stop.stop_requested()) {
        --letter.on_the_way;
        return;
      }
    }
    http.After(kPause, stop, [self = shared_from_this(), word, stop] {
      if (!stop.stop_requested()) self->Send(word, -1, stop);
    });
  }

  tests::World& world;
  router::HttpClient& http;
  const RunClock& clock;
  const UrlOf url_of;
  mutable std::mutex mutex;  // guards all below
  std::map<std::string, Letter> letters;
  std::size_t deliveries = 0;
};

Postman::Postman(tests::World& world, router::HttpClient& http, const RunClock& clock, UrlOf url_of)
    : state_(std::make_shared<State>(world, http, clock, std::move(url_of))) {}

Postman::~Postman() { stop_.request_stop(); }

void Postman::Write(const PlannedMessage& message, const std::string& cid) {
  const Moment written = state_->clock.Now();
  const std::string id = state_->world.Say(message.writer, "Please do " + message.word + ".", cid);
  const auto event = state_->world.chat().webhooks().LastEvent(id);
  {
    const std::lock_guard lock(state_->mutex);
    state_->letters[message.word] = {{message.word, cid, message.writer, written, {}, {}},
                                     event.value().Dump(),
                                     message.deliveries.size()};
  }
  for (const Delivery& delivery : message.deliveries) Deliver(message.word, delivery);
}

void Postman::Deliver(const std::string& word, const Delivery& delivery) {
  const std::stop_token stop = stop_.get_token();
  state_->http.After(delivery.after, stop, [state = state_, word, delivery, stop] {
    if (!stop.stop_requested()) state->Send(word, delivery.node, stop);
  });
}

std::vector<Said> Postman::said() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<Said> all;
  all.reserve(state_->letters.size());
  for (const auto& [word, letter] : state_->letters) all.push_back(letter.said);
  return all;
}

std::size_t Postman::deliveries() const {
  const std::lock_guard lock(state_->mutex);
  return state_->deliveries;
}

bool Postman::IsAllAcknowledged() const {
  const std::lock_guard lock(state_->mutex);
  return std::ranges::all_of(state_->letters, [](const auto& entry) {
    return entry.second.said.acknowledged && entry.second.on_the_way == 0;
  });
}

}  // namespace writ::chaos
