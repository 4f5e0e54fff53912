#include "connectors/tool/http_tool/http_tool_calling.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "connectors/tool/http_tool/http_tool_report.h"

namespace writ::connectors {

using router::CallReport;
using router::HttpResponse;
using std::chrono::milliseconds;

HttpToolCalling::HttpToolCalling(router::HttpClient& http, const router::Clock& clock,
                                 std::shared_ptr<ClientCredentials> credentials,
                                 router::HttpRequest request, std::stop_token stop, Done done)
    : http_(http),
      clock_(clock),
      credentials_(std::move(credentials)),
      request_(std::move(request)),
      stop_(std::move(stop)),
      done_(std::move(done)),
      deadline_(clock.Steady() + request_.timeout) {}

void HttpToolCalling::Start() {
  if (credentials_ == nullptr) {
    Send();
  } else {
    AskForToken();
  }
}

void HttpToolCalling::AskForToken() {
  credentials_->Get(Left(), stop_,
                    [self = shared_from_this()](const ClientCredentials::Outcome& outcome) {
                      self->TakeToken(outcome);
                    });
}

void HttpToolCalling::TakeToken(const ClientCredentials::Outcome& outcome) {
  if (const auto* none = std::get_if<ClientCredentials::NoToken>(&outcome)) {
    return Refuse(none->why);
  }
  token_ = std::get<std::string>(outcome);
  Send();
}

void HttpToolCalling::Send() {
  router::HttpRequest request = request_;
  request.timeout = Left();
  if (!token_.empty()) request.headers.emplace_back("authorization", "Bearer " + token_);
  request.on_data = [self = shared_from_this()](std::string_view bytes) {
    return self->TakeBytes(bytes);
  };
  http_.Send(std::move(request), stop_, [self = shared_from_this()](router::HttpOutcome outcome) {
    self->End(std::move(outcome));
  });
}

// What is longer than anybody reads must not cost the call its result: it has run.
bool HttpToolCalling::TakeBytes(std::string_view bytes) {
  const std::size_t room = kMostRead - body_.size();
  cut_ = bytes.size() > room;
  body_ += bytes.substr(0, room);
  return !cut_;
}

void HttpToolCalling::End(router::HttpOutcome outcome) {
  auto* response = std::get_if<HttpResponse>(&outcome);
  if (response == nullptr) return done_(ReportOf(outcome, cut_));
  if (response->status == 401 && credentials_ != nullptr && !std::exchange(sent_anew_, true)) {
    credentials_->Discard(token_);
    return AskForToken();
  }
  if (response->body.empty()) response->body = std::move(body_);
  done_(ReportOf(outcome, cut_));
}

// At least something: 0 would mean no limit.
milliseconds HttpToolCalling::Left() const {
  const auto left = std::chrono::ceil<milliseconds>(deadline_ - clock_.Steady());
  return std::max(left, milliseconds{1});
}

void HttpToolCalling::Refuse(std::string why) {
  CallReport report;
  report.kind = CallReport::Kind::kRefused;
  report.what = std::move(why);
  done_(std::move(report));
}

}  // namespace writ::connectors
