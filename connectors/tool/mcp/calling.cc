#include "connectors/tool/mcp/calling.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "connectors/tool/mcp/call_report.h"
#include "connectors/tool/mcp/writing.h"

namespace writ::connectors {
namespace {

using router::Tool;
using std::chrono::milliseconds;

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
      deadline_(clock.Steady() + request_.timeout) {}

void Calling::Start() {
  const router::JsonParsed arguments = router::ParseJson(request_.arguments);
  if (arguments.value && arguments.value->IsObject()) return Send();
  // They stand in the message as they are: what is no object must not get there.
  http_.After(milliseconds{0}, stop_,
              [self = shared_from_this()] { self->Refuse("the arguments are no JSON object"); });
}

void Calling::Send() {
  Era::Question question;
  question.method = "tools/call";
  question.params = CallParams(request_);
  question.once = !request_.may_repeat;
  question.timeout = std::max(Left(), milliseconds{1});
  era_.Ask(std::move(question), stop_,
           [self = shared_from_this()](const McpAnswer& answer) { self->TakeAnswer(answer); });
}

void Calling::TakeAnswer(const McpAnswer& answer) {
  if (answer.kind == McpAnswer::Kind::kSessionGone && !sent_anew_ && Left() > milliseconds{0}) {
    sent_anew_ = true;
    return ListAnew();
  }
  done_(ReportOf(answer));
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
    return Refuse("the session was gone, and a new one lists no tools");
  }
  const std::optional<Tool> now = tools_.LastSeen(request_.tool);
  if (!now) return Refuse("the session was gone, and the tool with it");
  if (before_ && !IsSame(*before_, *now)) {
    return Refuse("the session was gone, and the tool is another one now");
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
