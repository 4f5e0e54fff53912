#include "router/flow/explain.h"

#include <string_view>
#include <utility>

#include "router/base/failure.h"
#include "router/flow/standing_consents.h"
#include "router/tool/gate.h"

namespace writ::router {
namespace {

// Where something of the directory, which is built in the configuration's order, stands there.
template <class Element>
std::string PointerTo(std::string_view base, const std::vector<Element>& elements,
                      const Element* element) {
  return std::string(base) + '/' + std::to_string(element - elements.data());
}

// The connector whose name the tool's true name begins with; the longest, as ids may begin alike.
const BoundConnector* ConnectorOf(const AgentSetup& agent, const std::string& tool) {
  const BoundConnector* found = nullptr;
  for (const BoundConnector& bound : agent.connectors) {
    if (!tool.starts_with(TrueName(bound.binding.id, ""))) continue;
    if (found == nullptr || bound.binding.id.text().size() > found->binding.id.text().size()) {
      found = &bound;
    }
  }
  return found;
}

People PeopleIn(ChannelRule rule, const CallInQuestion& call) {
  return PeopleOf(rule, call.writer, call.session.value_or(Session{}));
}

bool IsShared(const CallInQuestion& call) {
  return call.session && (call.session->shared || call.session->channel_shared);
}

// What happens to a call that the binding's rules hold.
void Hold(const Binding& binding, const std::string& pointer, const People& people, bool shared,
          Explanation& told) {
  using enum Explanation::Outcome;
  const bool on_device = binding.tools_of == ToolsOf::kDevice;
  told.asked =
      AskedFor(binding.approver, on_device ? UserId() : people.writer, people.initiator, shared);
  told.who_rule = pointer + "/approver";
  switch (binding.approver) {
    case Approver::kAutoApprove:
      told.outcome = kApproved;
      told.why = "the binding's policy allows it without asking";
      return;
    case Approver::kAutoDeny:
      told.outcome = kDeclined;
      told.reason = binding.auto_deny_reason;
      told.why = "the binding's policy declines it without asking";
      return;
    case Approver::kBackend:
      told.outcome = kHeld;
      told.why = "the binding asks the app's backend alone";
      return;
    case Approver::kCallback:
      told.outcome = kHeld;
      told.why = "the binding's callback is asked, and may leave it to the writer";
      return;
    case Approver::kWriter:
      break;
  }
  told.outcome = kHeld;
  switch (told.asked.kind) {
    case Asked::Kind::kUser:
      told.who_rule = told.channel_rule;
      told.why = people.writer.empty() ? "the session's owner asked for it"
                                       : "they wrote the message that it acts for";
      return;
    case Asked::Kind::kBackend:
      return;
    case Asked::Kind::kNobody:
      break;
  }
  told.outcome = kRefused;
  told.who_rule = told.channel_rule;
  told.status = "nobody_to_ask";
  told.why = "it needs a person's approval, and nobody wrote it whom this conversation can ask";
}

// Whether the call comes as far as the app's backend, which is asked before anybody's approval.
bool WouldPass(Explanation::Outcome outcome) {
  using enum Explanation::Outcome;
  return outcome == kRuns || outcome == kHeld || outcome == kApproved || outcome == kDeclined;
}

// What is known of the call by then, as its turn would have it.
Call Judge(const Shelf& shelf, const std::string& tool, const std::string& pointer,
           const CallInQuestion& call, const People& people, Explanation& told) {
  using enum Explanation::Outcome;
  const ShelvedTool* found = shelf.Find(tool);
  const Gated gated = Gate(shelf, found, call.arguments);
  Call judged;
  judged.connector = shelf.binding().id;
  judged.name = call.tool;
  if (found != nullptr) judged.schema_digest = found->schema_digest;
  judged.arguments = gated.canonical;
  told.status = gated.status;
  told.reason = gated.reason;
  told.hint = gated.hint;
  if (!gated.rule.empty()) told.rule = pointer + gated.rule;
  switch (gated.verdict) {
    case Gated::Verdict::kFree:
      told.outcome = kRuns;
      told.why = "no rule of the binding holds it";
      return judged;
    case Gated::Verdict::kRefused:
      told.outcome = kRefused;
      told.why = gated.reason;
      return judged;
    case Gated::Verdict::kFaulty:
      told.outcome = kFailed;
      told.why = gated.reason;
      return judged;
    case Gated::Verdict::kHeld:
      break;
  }
  Hold(shelf.binding(), pointer, people, IsShared(call), told);
  return judged;
}

}  // namespace

std::string_view NameOf(Explanation::Outcome outcome) {
  switch (outcome) {
    case Explanation::Outcome::kNobodyAnswers:
      return "nobody_answers";
    case Explanation::Outcome::kRuns:
      return "runs";
    case Explanation::Outcome::kHeld:
      return "held";
    case Explanation::Outcome::kApproved:
      return "approved";
    case Explanation::Outcome::kDeclined:
      return "declined";
    case Explanation::Outcome::kRefused:
      return "refused";
    case Explanation::Outcome::kFailed:
      return "failed";
  }
  return "";
}

void Explain::LookForConsent(const Shelf& shelf, const CallInQuestion& call, const Call& judged,
                             Explanation& told) const {
  const Binding& binding = shelf.binding();
  if (consents_ == nullptr || !call.session || binding.remember_max <= Duration{0}) return;
  if (told.outcome != Explanation::Outcome::kHeld || told.asked.kind != Asked::Kind::kUser) return;
  Turn turn;
  turn.app = call.app;
  turn.agent = told.agent;
  turn.cid = call.cid;
  turn.session = call.session->id;
  try {
    const TimePoint now = clock_->Now();
    const auto standing = consents_->Standing(call.app, call.cid, told.asked.user, now);
    const Consent* consent = FindCovering(standing, binding, turn, judged, told.asked.user, now);
    if (consent == nullptr) return;
    told.outcome = Explanation::Outcome::kApproved;
    told.why = "the standing consent " + consent->id.text() + " of " + told.asked.user.text() +
               " releases it, if they are a member of the channel still";
  } catch (const Failure&) {  // then a turn would ask, too
    told.why += "; whether a standing consent releases it can't be seen at the moment";
  }
}

void Explain::Run(const CallInQuestion& call, std::stop_token stop,
                  std::function<void(Explanation)> done) const {
  Explanation told;
  told.tool = call.tool;
  const AppSetup* app = directory_.FindApp(call.app);
  const Directory::Route route = directory_.RouteOf(call.app, call.cid);
  if (app == nullptr || route.agent == nullptr) {
    told.why = "no agent of the app answers in channels of that type";
    done(std::move(told));
    return;
  }
  const std::string agent =
      PointerTo(PointerTo("/apps", directory_.apps(), app) + "/agents", app->agents, route.agent);
  told.agent = route.agent->id;
  told.channel_rule =
      agent + (route.rule == ChannelRule::kNamed ? "/chat_channels" : "/agent_channels");
  const BoundConnector* bound = ConnectorOf(*route.agent, call.tool);
  if (bound == nullptr) {
    told.outcome = Explanation::Outcome::kRefused;
    told.status = "unknown_tool";
    told.why = told.reason = "no connector of the agent has a tool of that name";
    done(std::move(told));
    return;
  }
  told.connector = bound->binding.id;
  const std::string pointer = PointerTo(agent + "/connectors", route.agent->connectors, bound);
  const std::string tool = call.tool.substr(TrueName(bound->binding.id, "").size());
  const Shelves::For whom{call.app, call.session ? call.session->id : SessionId()};
  shelves_.Get(*bound, whom, kListAgeToOffer, std::move(stop),
               [self = *this, call, told, pointer, tool, people = PeopleIn(route.rule, call),
                asks_backend = bound->before_call != nullptr,
                done = std::move(done)](const Shelves::Outcome& shelf) mutable {
                 if (const auto* known = std::get_if<Shelves::Shelved>(&shelf)) {
                   self.LookForConsent(**known, call,
                                       Judge(**known, tool, pointer, call, people, told), told);
                   if (asks_backend && WouldPass(told.outcome)) {
                     told.why += "; before that the app's backend may block or answer it";
                   }
                 } else {
                   told.outcome = Explanation::Outcome::kFailed;
                   told.why = "the connector's tools can't be listed at the moment";
                 }
                 done(std::move(told));
               });
}

}  // namespace writ::router
