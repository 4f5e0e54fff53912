// A turn's next step: the model is asked, and what it wants goes through the gate.
#include <algorithm>
#include <optional>
#include <utility>

#include "router/approval/ask.h"
#include "router/base/digest.h"
#include "router/flow/run_turn.h"
#include "router/tool/gate.h"
#include "router/tool/show_arguments.h"
#include "router/turn/face.h"
#include "router/turn/transcript.h"

namespace writ::router {
namespace {

constexpr std::size_t kMeanwhile = 50;  // turns that a resumed one is told of
constexpr std::size_t kMarkKeyBytes = 16;

}  // namespace

struct RunTurn::Step {
  Claim claim;
  Turn turn;
  std::stop_token stop;
  const AppSetup* app = nullptr;
  const AgentSetup* agent = nullptr;
  Session session;
  std::vector<Shelves::Shelved> shelves;

  struct Offer {
    const Shelf* shelf = nullptr;
    const ShelvedTool* tool = nullptr;
  };
  std::map<std::string, Offer> offers;  // by offered name
  // What was offered under that name; else the tool of that true name, which was not offered and
  // whose gate says why. Without a tool, the shelf of the connector that the name begins with.
  [[nodiscard]] Offer Find(const std::string& name) const;
};

RunTurn::Step::Offer RunTurn::Step::Find(const std::string& name) const {
  if (const auto offer = offers.find(name); offer != offers.end()) return offer->second;
  Offer nearest;
  for (const Shelves::Shelved& shelf : shelves) {
    const std::string prefix = TrueName(shelf->binding().id, "");
    if (!name.starts_with(prefix)) continue;
    nearest.shelf = shelf.get();
    if (const ShelvedTool* tool = shelf->Find(name.substr(prefix.size()))) {
      return {shelf.get(), tool};
    }
  }
  return nearest;
}

void RunTurn::BeginStep(const Work& work, std::stop_token stop) {
  auto step = std::make_shared<Step>();
  step->claim = work.claim;
  step->turn = work.turn;
  step->stop = std::move(stop);
  step->app = directory_.FindApp(step->turn.app);
  step->agent = directory_.FindAgent(step->turn.app, step->turn.agent);
  if (step->app == nullptr || step->agent == nullptr) {
    GiveUp(step->claim, "its agent is not configured any more");
    return;
  }
  auto session = ports_.sessions.FindSession(step->turn.app, step->turn.session);
  if (!session) {
    GiveUp(step->claim, "its session is gone");
    return;
  }
  step->session = *std::move(session);
  if (!step->turn.cid.empty()) {
    step->app->chat->Indicate(step->turn.cid, step->agent->user, FaceMessageId(step->turn.id),
                              Indicator::kThinking);
  }
  ReadHistory(std::move(step));
}

// What stood in the channel before the session's first command is asked of the platform once.
void RunTurn::ReadHistory(std::shared_ptr<Step> step) {
  const auto offer_tools = [this](std::shared_ptr<Step> ready) {
    Step& known = *ready;
    shelves_.GetAll(*known.agent, kListAgeToOffer, known.stop,
                    [this, ready = std::move(ready)](std::vector<Shelves::Shelved> shelves) {
                      ready->shelves = std::move(shelves);
                      RunJob(ready->claim, [this, ready] { AskModel(ready); });
                    });
  };
  if (step->session.history_known || step->turn.cid.empty() || step->agent->history_messages == 0) {
    offer_tools(std::move(step));
    return;
  }
  Step& asking = *step;
  asking.app->chat->History(
      asking.turn.cid, asking.turn.thread, asking.agent->user,
      static_cast<int>(asking.agent->history_messages), asking.stop,
      [this, step,
       offer_tools](const std::variant<std::vector<HistoryMessage>, ChatFailure>& outcome) {
        RunJob(step->claim, [this, step, offer_tools, outcome] {
          if (const auto* history = std::get_if<std::vector<HistoryMessage>>(&outcome)) {
            step->session.history = *history;
            std::erase_if(step->session.history, [&](const HistoryMessage& message) {
              return message.created_at >= step->turn.created_at ||
                     message.id == step->turn.message;
            });
            ports_.sessions.RememberHistory(step->session.id, step->session.history);
          } else {
            ports_.log.Warn("turn.without_history", {{"command_id", step->turn.id.text()},
                                                     {"why", std::get<ChatFailure>(outcome).what}});
          }
          offer_tools(step);
        });
      });
}

void RunTurn::AskModel(std::shared_ptr<Step> step) {
  std::vector<std::string> true_names;
  std::vector<Step::Offer> offers;
  for (const Shelves::Shelved& shelf : step->shelves) {
    for (const ShelvedTool* tool : shelf->Offered()) {
      true_names.push_back(tool->name);
      offers.push_back({shelf.get(), tool});
    }
  }
  ModelRequest request;
  const std::vector<std::string> offered = OfferNames(true_names);
  for (std::size_t i = 0; i < offers.size(); ++i) {
    step->offers.emplace(offered[i], offers[i]);
    request.tools.push_back(
        {offered[i], offers[i].tool->tool.description, offers[i].tool->tool.input_schema});
  }
  std::vector<Turn> others = ports_.turns.Before(step->turn, step->agent->history_messages);
  if (step->turn.said_meanwhile) {
    for (Turn& turn : ports_.turns.Meanwhile(step->turn, kMeanwhile)) {
      others.push_back(std::move(turn));
    }
  }
  request.instructions = InstructionsOf(step->agent->instructions);
  request.transcript =
      TranscriptOf(step->turn, step->session, others, step->agent->history_messages);
  const auto deadline = ActiveDeadline(step->turn);
  const Duration left = deadline ? *deadline - ports_.clock.Now() : step->turn.limits.turn_timeout;
  request.time_left = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::max<Duration>(left, std::chrono::milliseconds(1)));
  step->agent->model->Ask(std::move(request), step->stop,
                          [this, step](const Model::Outcome& outcome) {
                            RunJob(step->claim, [this, step, outcome] { OnModel(step, outcome); });
                          });
}

void RunTurn::OnModel(const std::shared_ptr<Step>& step, const Model::Outcome& outcome) {
  const auto committed = [this, claim = step->claim](Advanced advanced) {
    Finish(claim);
    Follow(std::move(advanced));
  };
  if (const auto* failure = std::get_if<ModelFailure>(&outcome)) {
    if (failure->kind == ModelFailure::Kind::kCancelled && node_.IsDraining()) {
      Finish(step->claim);  // the node stops: another start asks again
      return;
    }
    ports_.log.Warn("model.failed", {{"command_id", step->turn.id.text()}, {"why", failure->what}});
    Commit(step->claim, ModelFailed{*failure}, committed);
    return;
  }
  ModelReplied replied{std::get<ModelReply>(outcome), {}};
  for (const ModelCall& wanted : replied.reply.calls) {
    replied.calls.push_back(GateCall(*step, wanted));
  }
  Commit(step->claim, std::move(replied), committed);
}

namespace {

bool IsOfAConnector(const AgentSetup& agent, const std::string& name) {
  return std::ranges::any_of(agent.connectors, [&](const BoundConnector& bound) {
    return name.starts_with(TrueName(bound.binding.id, ""));
  });
}

}  // namespace

GatedCall RunTurn::GateCall(const Step& step, const ModelCall& wanted) const {
  GatedCall gated;
  Call& call = gated.call;
  call.id = CallId(ports_.ids.Next("call_"));
  call.provider_id = wanted.provider_id;
  call.offered_name = wanted.offered_name;
  call.name = wanted.offered_name;
  const auto [shelf, tool] = step.Find(wanted.offered_name);
  if (tool == nullptr) {
    const bool away = shelf == nullptr && IsOfAConnector(*step.agent, wanted.offered_name);
    gated.status = away ? "failed" : "unknown_tool";
    gated.reason = shelf != nullptr ? Gate(*shelf, nullptr, wanted.arguments_text).reason
                   : away           ? "its connector can't be reached at the moment"
                                    : "no connector has a tool of that name";
    return gated;
  }
  call.connector = shelf->binding().id;
  call.tool = tool->tool.name;
  call.name = tool->name;
  call.title = tool->tool.title;
  call.schema_digest = tool->schema_digest;
  call.idempotent = tool->idempotent;
  Gated judged = Gate(*shelf, tool, wanted.arguments_text);
  call.arguments = judged.canonical;
  gated.status = judged.status;
  gated.reason = judged.reason;
  switch (judged.verdict) {
    case Gated::Verdict::kRefused:
      return gated;
    case Gated::Verdict::kFaulty:
      // Fails closed and loudly: an operator's rule could not be judged.
      ports_.log.Error("gate.rule_failed", {{"command_id", step.turn.id.text()},
                                            {"call_id", call.id.text()},
                                            {"tool", call.name},
                                            {"why", judged.reason}});
      gated.status = "failed";
      return gated;
    case Gated::Verdict::kFree:
    case Gated::Verdict::kHeld:
      break;
  }
  ShownArguments shown = ShowArgumentsOf(shelf->binding(), *tool, judged.arguments);
  call.shown = std::move(shown.text);
  call.shown_cut = shown.cut;
  const std::string mark_key = HexOf(RandomBytes(kMarkKeyBytes));
  call.mark = MarkOf(mark_key, call.arguments);
  if (judged.verdict == Gated::Verdict::kFree) {
    gated.verdict = GatedCall::Verdict::kFree;
    return gated;
  }
  const Turn& turn = step.turn;
  const Approver approver = shelf->binding().approver;
  const Asked asked = AskedFor(approver, turn.writer, turn.initiator, turn.shared);
  if (asked.kind == Asked::Kind::kNobody) {
    gated.status = "nobody_to_ask";
    gated.reason = "this needs a person's approval, and there is nobody to ask";
    ports_.log.Info(
        "call.nobody_to_ask",
        {{"command_id", turn.id.text()}, {"call_id", call.id.text()}, {"tool", call.name}});
    return gated;
  }
  switch (approver) {
    case Approver::kWriter:
    case Approver::kBackend:
      gated.verdict = GatedCall::Verdict::kHeld;
      break;
    case Approver::kAutoApprove:
      gated.verdict = GatedCall::Verdict::kApproved;
      break;
    case Approver::kAutoDeny:
      gated.verdict = GatedCall::Verdict::kDenied;
      gated.reason = shelf->binding().auto_deny_reason;
      break;
  }
  ApprovalRecord& approval = gated.approval;
  approval.id = ApprovalId(ports_.ids.Next("apr_"));
  approval.run = turn.id;
  approval.call = call.id;
  approval.app = turn.app;
  approval.lane = turn.lane;
  approval.cid = turn.cid;
  approval.asked = asked.user;
  approval.connector = call.connector;
  approval.tool = call.name;
  approval.arguments = call.arguments;
  approval.args_digest = DigestOf(call.arguments, approval.kind, approval.tool);
  approval.mark_key = mark_key;
  approval.hint = judged.hint;
  approval.metadata = turn.metadata;
  return gated;
}

}  // namespace writ::router
