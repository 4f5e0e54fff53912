#include "connectors/tool/mcp/calling.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "connectors/tool/mcp/call_report.h"
#include "connectors/tool/mcp/modern_error.h"
#include "connectors/tool/mcp/param_headers.h"
#include "connectors/tool/mcp/writing.h"

namespace writ::connectors {
namespace {

using router::Tool;
using std::chrono::milliseconds;

// Time-outs, for a tool that tells of its progress.
constexpr int kLongest = 4;
// How often a tool may want to be called again, without a question to anybody.
constexpr int kMaxRounds = 5;
constexpr milliseconds kBetweenRounds{500};

bool IsSame(const Tool& left, const Tool& right) {
  return left.input_schema == right.input_schema && left.description == right.description;
}

}  // namespace

Calling::Calling(router::HttpClient& http, const router::Clock& clock, Era& era, ListedTools& tools,
                 router::CallRequest request, std::stop_token stop, Done done)
    : http_(http),
      clock_(clock),
      era_(era),
      tools_(tools),
      request_(std::move(request)),
      stop_(std::move(stop)),
      done_(std::move(done)),
      deadline_(clock.Steady() + request_.timeout),
      input_(request_.input) {}

void Calling::Start() {
  router::JsonParsed arguments = router::ParseJson(request_.arguments);
  if (arguments.value && arguments.value->IsObject()) {
    arguments_ = *std::move(arguments.value);
    return Send();
  }
  // They stand in the message as they are: what is no object must not get there.
  http_.After(milliseconds{0}, stop_,
              [self = shared_from_this()] { self->Refuse("the arguments are no JSON object"); });
}

void Calling::Send() {
  Era::Question question;
  question.method = "tools/call";
  question.params = CallParams(request_, input_);
  question.meta = CallMeta(request_);
  question.tool = request_.tool;
  if (const auto tool = tools_.LastSeen(request_.tool)) {
    question.param_headers = ParamHeaders(tool->input_schema, arguments_);
  }
  question.trace = request_.trace;
  question.may_ask = request_.may_ask;
  question.once = !request_.may_repeat;
  question.timeout = std::max(Left(), milliseconds{1});
  question.longest = question.timeout + (kLongest - 1) * request_.timeout;
  era_.Ask(std::move(question), stop_,
           [self = shared_from_this()](const McpAnswer& answer) { self->TakeAnswer(answer); });
}

void Calling::TakeAnswer(const McpAnswer& answer) {
  // The headers were those of another schema, or of none.
  const bool other_headers = answer.stateless && ErrorCodeOf(answer) == kHeaderMismatch;
  const bool anew = answer.kind == McpAnswer::Kind::kSessionGone || other_headers;
  if (anew && !sent_anew_ && Left() > milliseconds{0}) {
    sent_anew_ = true;
    return ListAnew();
  }
  if (answer.stateless && answer.kind == McpAnswer::Kind::kResult) {
    if (auto required = ReadInputRequired(answer.payload)) return TakeInput(*std::move(required));
  }
  done_(ReportOf(answer));
}

// The tool has not finished. Where it asks nobody, it wants to be called again with what it gave;
// where it asks, somebody must be there.
void Calling::TakeInput(InputRequired required) {
  const bool state_only = required.kind == InputRequired::Kind::kStateOnly;
  if (state_only && rounds_ < kMaxRounds && Left() > kBetweenRounds) {
    ++rounds_;
    input_ = router::InputGiven{{}, std::move(required.needed.request_state)};
    return http_.After(kBetweenRounds, stop_, [self = shared_from_this()] { self->Send(); });
  }
  if (state_only || !request_.may_ask) required.kind = InputRequired::Kind::kImpossible;
  done_(ReportOfInput(std::move(required)));
}

void Calling::ListAnew() {
  before_ = tools_.LastSeen(request_.tool);
  tools_.Outdate();
  tools_.Get(era_, milliseconds{0}, stop_,
             [self = shared_from_this()](const router::ToolListOutcome& outcome) {
               self->TakeTools(outcome);
             });
}

void Calling::TakeTools(const router::ToolListOutcome& outcome) {
  if (std::holds_alternative<router::ToolListFailure>(outcome)) {
    return Refuse("it was not processed, and the tools can't be listed anew");
  }
  const std::optional<Tool> now = tools_.LastSeen(request_.tool);
  if (!now) return Refuse("it was not processed, and the tool is gone");
  if (before_ && !IsSame(*before_, *now)) {
    return Refuse("it was not processed, and the tool is another one now");
  }
  Send();
}

milliseconds Calling::Left() const {
  return std::chrono::floor<milliseconds>(deadline_ - clock_.Steady());
}

void Calling::Refuse(std::string why) {
  router::CallReport report;
  report.kind = router::CallReport::Kind::kRefused;
  report.what = std::move(why);
  done_(report);
}

}  // namespace writ::connectors
