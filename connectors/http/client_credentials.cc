#include "connectors/http/client_credentials.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>
#include <utility>

#include "connectors/http/ascii.h"
#include "connectors/http/failure_words.h"
#include "connectors/http/percent.h"
#include "router/base/digest.h"
#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::HttpRequest;
using router::HttpResponse;
using router::Json;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kMaxReplyBytes = std::size_t{256} << 10;
// Where the server does not say how long a token lives.
constexpr seconds kUnsaidLife{300};
constexpr seconds kLongestLife{24 * 3600};
// So long before its end a token is not used any more; less for short ones.
constexpr seconds kMargin{60};

std::string Base64(std::string_view bytes) {
  std::string text = router::Base64UrlEncode(bytes);
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  while (text.size() % 4 != 0) text += '=';
  return text;
}

void AddField(std::string_view name, std::string_view value, std::string& form) {
  if (value.empty()) return;
  if (!form.empty()) form += '&';
  form += PercentEncode(name) + '=' + PercentEncode(value);
}

HttpRequest RequestFor(const ClientCredentialsOptions& options) {
  HttpRequest request;
  request.method = "POST";
  request.url = options.token_url;
  request.timeout = options.timeout;
  request.max_response_bytes = kMaxReplyBytes;
  request.public_only = options.public_only;
  request.headers = {{"accept", "application/json"},
                     {"content-type", "application/x-www-form-urlencoded"}};
  AddField("grant_type", "client_credentials", request.body);
  AddField("scope", options.scope, request.body);
  AddField("audience", options.audience, request.body);
  switch (options.auth) {
    case ClientCredentialsOptions::Auth::kBasic:
      request.headers.emplace_back("authorization",
                                   "Basic " + Base64(PercentEncode(options.client_id) + ':' +
                                                     PercentEncode(options.client_secret)));
      break;
    case ClientCredentialsOptions::Auth::kForm:
      AddField("client_id", options.client_id, request.body);
      AddField("client_secret", options.client_secret, request.body);
      break;
  }
  return request;
}

// The server's reason, where it is one of the standard's: any other text might be anything.
std::string ReasonOf(const HttpResponse& response) {
  constexpr auto kKnown = std::to_array<std::string_view>(
      {"invalid_request", "invalid_client", "invalid_grant", "unauthorized_client",
       "unsupported_grant_type", "invalid_scope", "invalid_target"});
  const router::JsonParsed body = router::ParseJson(response.body);
  const std::string reason = body.value ? body.value->TextAt("error") : "";
  const bool known = std::find(kKnown.begin(), kKnown.end(), reason) != kKnown.end();
  return "HTTP status " + std::to_string(response.status) + (known ? ", " + reason : "");
}

bool IsHeaderText(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

seconds LifeOf(const Json& reply) {
  const Json* said = reply.Find("expires_in");
  if (said == nullptr || said->IsNull()) return kUnsaidLife;
  // Some servers write it as a string.
  const Json number = said->IsString()
                          ? Json::Number(router::CanonicalNumber(said->string()).value_or("0"))
                          : *said;
  const double life = number.IsNumber() ? number.ToDouble().value_or(0) : 0;
  const auto longest = static_cast<double>(kLongestLife.count());
  return seconds(static_cast<seconds::rep>(std::clamp(life, 0.0, longest)));
}

struct Read {
  std::string token;  // empty: `why` says what is wrong
  seconds life{0};
  std::string why;
};

Read ReadReply(const router::HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<router::HttpFailure>(&outcome)) {
    return {"", {}, WordsFor(failure->kind)};
  }
  const auto& response = std::get<HttpResponse>(outcome);
  if (response.status != 200) return {"", {}, ReasonOf(response)};
  const router::JsonParsed body = router::ParseJson(response.body);
  if (!body.value || !body.value->IsObject()) return {"", {}, "its answer is no JSON object"};
  std::string token = body.value->TextAt("access_token");
  if (!IsHeaderText(token)) return {"", {}, "its answer has no access token"};
  const std::string type = InLowerCase(body.value->TextAt("token_type"));
  if (!type.empty() && type != "bearer") return {"", {}, "its token is no bearer token"};
  return {std::move(token), LifeOf(*body.value), ""};
}

}  // namespace

// One that waits; ended by the token, its own time, or a stop, whichever is first.
class ClientCredentials::Waiter {
 public:
  Waiter(const std::stop_token& stop, Done done)
      : done_(std::move(done)), on_stop_(stop, [this] { timer_.request_stop(); }) {}

  void End(Outcome outcome) {
    if (ended_.exchange(true)) return;
    timer_.request_stop();
    done_(std::move(outcome));
  }
  // Stopped with the one who waits, too.
  [[nodiscard]] std::stop_token timer() const { return timer_.get_token(); }

 private:
  const Done done_;
  std::atomic<bool> ended_{false};
  std::stop_source timer_;
  std::stop_callback<std::function<void()>> on_stop_;  // last: it uses the timer
};

void ClientCredentials::Get(milliseconds patience, const std::stop_token& stop, Done done) {
  auto waiter = std::make_shared<Waiter>(stop, std::move(done));
  std::optional<std::string> token;
  bool fetch = false;
  {
    const std::lock_guard lock(mutex_);
    if (token_ && clock_.Steady() < token_->until) {
      token = token_->text;
    } else {
      waiting_.push_back(waiter);
      fetch = !std::exchange(fetching_, true);
    }
  }
  if (token) {
    http_.After(milliseconds{0}, stop, [waiter, token] { waiter->End(*token); });
    return;
  }
  http_.After(patience, waiter->timer(), [waiter, stop] {
    waiter->End(NoToken{stop.stop_requested() ? "stopped before an access token came"
                                              : "no access token came in time"});
  });
  if (fetch) Fetch();
}

// Nobody's stop ends it: others wait for it, too.
void ClientCredentials::Fetch() {
  http_.Send(
      RequestFor(options_), {},
      [self = shared_from_this()](const router::HttpOutcome& outcome) { self->Take(outcome); });
}

void ClientCredentials::Take(const router::HttpOutcome& outcome) {
  const Read read = ReadReply(outcome);
  std::vector<std::shared_ptr<Waiter>> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (!read.token.empty()) {
      token_ = Token{read.token, clock_.Steady() + read.life - std::min(kMargin, read.life / 5)};
    }
    fetching_ = false;
    waiting.swap(waiting_);
  }
  for (const auto& waiter : waiting) {
    if (read.token.empty()) {
      waiter->End(NoToken{"no access token: " + read.why});
    } else {
      waiter->End(read.token);
    }
  }
}

void ClientCredentials::Discard(const std::string& token) {
  const std::lock_guard lock(mutex_);
  if (token_ && token_->text == token) token_.reset();
}

}  // namespace writ::connectors
