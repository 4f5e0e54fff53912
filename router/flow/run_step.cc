// A turn's next step: the model is asked.
#include <algorithm>
#include <optional>
#include <utility>

#include "router/base/trace.h"
#include "router/flow/budgets.h"
#include "router/flow/log_about.h"
#include "router/flow/run_turn.h"
#include "router/flow/running_step.h"
#include "router/turn/face.h"
#include "router/turn/transcript.h"

namespace writ::router {
namespace {

constexpr std::size_t kMeanwhile = 50;  // turns that a resumed one is told of

}  // namespace

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
  if (const auto over = WhyOverBudget(*step->agent, step->turn)) {
    LogAbout(ports_.log, step->turn).Warn("model.over_budget", {{"why", *over}});
    Commit(step->claim, ModelFailed{{ModelFailure::Kind::kOverBudget, *over}},
           [this, claim = step->claim](Advanced advanced) {
             Finish(claim);
             Follow(std::move(advanced));
           });
    return;
  }
  if (!step->turn.cid.empty()) {
    step->app->chat->Indicate(step->turn.cid, step->agent->user, FaceMessageId(step->turn.id),
                              Indicator::kThinking);
  }
  ReadHistory(std::move(step));
}

std::optional<std::string> RunTurn::WhyOverBudget(const AgentSetup& agent, const Turn& turn) const {
  const std::vector<Charge> charges = ChargesOfAsking(agent, turn);
  if (charges.empty()) return std::nullopt;
  const UsedCounters used = ports_.turns.CountersNow(turn.app, charges);
  const TimePoint now = ports_.clock.Now();
  for (const Charge& charge : charges) {
    if (IsUsedUp(used, charge, now)) return charge.reason;
  }
  return std::nullopt;
}

// What stood in the channel before the session's first command is asked of the platform once.
void RunTurn::ReadHistory(std::shared_ptr<Step> step) {
  const auto offer_tools = [this](std::shared_ptr<Step> ready) {
    Step& known = *ready;
    const Shelves::For whom{known.turn.app, known.turn.session};
    shelves_.GetAll(*known.agent, whom, kListAgeToOffer, known.stop,
                    [this, ready = std::move(ready)](std::vector<Shelves::Shelved> shelves) {
                      ready->shelves = std::move(shelves);
                      RunInJob(ready->claim, [this, ready] { AskModel(ready); });
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
            LogAbout(ports_.log, step->turn)
                .Warn("turn.without_history", {{"why", std::get<ChatFailure>(outcome).what}});
          }
          offer_tools(step);
        });
      });
}

void RunTurn::AskModel(const std::shared_ptr<Step>& step) {
  std::vector<std::string> true_names;
  std::vector<Step::Offer> offers;
  for (const Shelves::Shelved& shelf : step->shelves) {
    // A device is its owner's: for what somebody else asked it is not there.
    const bool on_device = shelf->binding().tools_of == ToolsOf::kDevice;
    if (on_device && step->turn.initiator.empty()) continue;
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
  request.older = CountOlder(request.transcript);
  const auto deadline = ActiveDeadline(step->turn);
  const Duration left = deadline ? *deadline - ports_.clock.Now() : step->turn.limits.turn_timeout;
  request.time_left = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::max<Duration>(left, std::chrono::milliseconds(1)));
  request.trace = TraceOfPiece(step->turn.trace, "model " + std::to_string(step->turn.model_calls));
  FollowGrowth(step, request);
  step->agent->model->Ask(std::move(request), step->stop,
                          [this, step](const Model::Outcome& outcome) {
                            RunJob(step->claim, [this, step, outcome] { OnModel(step, outcome); });
                          });
}

// A reply that takes its time is shown as it grows, in a message that is wanted only then.
void RunTurn::FollowGrowth(const std::shared_ptr<Step>& step, ModelRequest& request) {
  const std::shared_ptr<const Turn> turn(step, &step->turn);
  growing_.Begin(step->claim, turn, [this, claim = step->claim]() -> std::optional<Turn> {
    auto advanced = ports_.turns.Advance(claim, {ports_.clock.Now(), ReplyBegun{}});
    if (!advanced) return std::nullopt;
    Changed(WakeAt(advanced->turn));
    return std::move(advanced->turn);
  });
  request.on_delta = [this, claim = step->claim](const ReplyDelta& delta) {
    growing_.Grow(claim, delta);
  };
}

void RunTurn::OnModel(const std::shared_ptr<Step>& step, const Model::Outcome& outcome) {
  growing_.End(step->claim);
  if (const auto* failure = std::get_if<ModelFailure>(&outcome)) {
    if (failure->kind == ModelFailure::Kind::kCancelled && node_.IsDraining()) {
      Finish(step->claim);  // the node stops: another start asks again
      return;
    }
    LogAbout(ports_.log, step->turn).Warn("model.failed", {{"why", failure->what}});
    Commit(step->claim, ModelFailed{*failure}, [this, claim = step->claim](Advanced advanced) {
      Finish(claim);
      Follow(std::move(advanced));
    });
    return;
  }
  GateReply(step, std::get<ModelReply>(outcome));
}

}  // namespace writ::router
