#include "bot/wiring.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "bot/adapters.h"
#include "bot/config/host_and_port.h"
#include "bot/depths.h"
#include "bot/http/cors.h"
#include "bot/http/route_table.h"
#include "bot/http/server.h"
#include "bot/http/streams.h"
#include "bot/metrics/committed.h"
#include "bot/metrics/metered_engine.h"
#include "bot/metrics/metered_ledgers.h"
#include "bot/metrics/metered_world.h"
#include "bot/metrics/metrics.h"
#include "bot/open_store.h"
#include "bot/process/ticker.h"
#include "bot/process/worker_pool.h"
#include "bot/routes/admission.h"
#include "bot/routes/api.h"
#include "bot/streams/session_feed.h"
#include "connectors/http/curl_loop.h"
#include "router/base/failure.h"
#include "router/base/id_source.h"
#include "router/flow/after_refusals.h"
#include "router/flow/after_restore.h"
#include "router/flow/answer.h"
#include "router/flow/catch_up.h"
#include "router/flow/deliver.h"
#include "router/flow/end_idle.h"
#include "router/flow/explain.h"
#include "router/flow/growing_replies.h"
#include "router/flow/open_turn.h"
#include "router/flow/retain.h"
#include "router/flow/run_turn.h"
#include "router/flow/schedules.h"
#include "router/flow/seal.h"
#include "router/flow/shelves.h"
#include "router/flow/sweep.h"
#include "router/flow/tell.h"
#include "store/engine_load.h"
#include "store/ledger/approvals_over.h"
#include "store/ledger/audit_over.h"
#include "store/ledger/consents_over.h"
#include "store/ledger/events_over.h"
#include "store/ledger/forgetting_over.h"
#include "store/ledger/idle_sessions_over.h"
#include "store/ledger/inbox_over.h"
#include "store/ledger/outbox_over.h"
#include "store/ledger/phones_over.h"
#include "store/ledger/restored_over.h"
#include "store/ledger/retention_over.h"
#include "store/ledger/schedules_over.h"
#include "store/ledger/sessions_over.h"
#include "store/ledger/turns_over.h"
#include "store/ledger/walks_over.h"
#include "store/records.h"

namespace writ::bot {
namespace {

// Answers that come over WebSockets, and by clicks: they may wait for the platform as those over
// POST do.
constexpr int kAnsweringWorkers = 8;
constexpr std::chrono::milliseconds kLookForCalls{20};
constexpr std::chrono::milliseconds kGather{5};
constexpr std::chrono::milliseconds kBetweenLooks{25};
// Waits for events, one after the other, until refused ones are looked for: a platform tries again
// first.
constexpr int kRefusalsAreOver = 10;

// What is written down beside the steps of each app's turns.
store::TellingOf TellingIn(const Config& config) {
  store::TellingOf telling;
  for (const AppConfig& app : config.apps) {
    store::Telling& of_app = telling[app.id];
    of_app.events = app.events.has_value();
    of_app.with_arguments = app.events && app.events->include_arguments;
    of_app.audit = config.audit.has_value();
  }
  return telling;
}

std::optional<store::AuditOver> AuditIn(const Config& config, store::Engine& engine,
                                        const store::TellingOf& telling) {
  if (!config.audit) return std::nullopt;
  return std::optional<store::AuditOver>(std::in_place, engine, telling,
                                         config.audit->secret.Reveal());
}

InboxPlace InboxOf(const Config& config, const Adapters& adapters) {
  const bool one = adapters.keys.size() == 1;
  return {one ? adapters.keys.begin()->first : std::string(), config.public_url};
}

// An answer may ask the platform about a membership, in at most half of the server's workers.
int MostAsking(const Config& config) { return std::max(config.limits.http_workers / 2, 1); }

// And a few wait for what a click does: by default as many as are done at a time.
int MostClicksWaiting(const Config& config) { return std::max(config.limits.http_workers / 8, 1); }

Admission::Limits AdmissionOf(const Config& config) {
  Admission::Limits limits{config.limits.event_wait, config.limits.events_to_open, std::nullopt};
  if (const auto* sqlite = std::get_if<SqliteStoreConfig>(&config.store)) {
    limits.store_bytes = sqlite->max_bytes;
  }
  return limits;
}

ServerOptions OptionsOf(const std::string& listen, int workers) {
  ServerOptions options;
  options.workers = workers;
  const HostAndPort address = ReadHostAndPort(listen).value();
  options.host = address.host;
  options.port = address.port;
  return options;
}

// A model may take minutes, and turns that wait for one are to keep nobody from theirs; nor are
// thousands of them to stand before what goes to a connector or a channel.
connectors::CurlLoopOptions ForModels() {
  connectors::CurlLoopOptions options;
  options.limits.in_flight = 10000;
  return options;
}

// Workers wait for a group commit: so many fill a batch. What begins something may wait for others,
// and be refused: answers are not to.
ServerOptions ApiOptionsOf(const Config& config, std::function<void(std::string_view)> on_refused) {
  ServerOptions options = OptionsOf(config.listen, config.limits.http_workers);
  options.max_connections = config.limits.connections;
  options.max_buffered_bytes = config.limits.request_bytes;
  options.max_unsent_bytes = config.limits.request_bytes;
  options.may_wait = MayWait;
  options.max_waiting = config.limits.events_in_line;
  options.longest_wait = config.limits.event_wait;
  options.on_refused = std::move(on_refused);
  return options;
}

Streams::Options StreamOptionsOf(const Config& config) {
  Streams::Options options;
  options.most = config.max_streams;
  return options;
}

}  // namespace

void CheckStore(const Config& config) { (void)OpenStore(config.store); }

// In the order in which each needs what stands before it. The end is Shutdown()'s: the world must
// fall silent before anything that it calls back into goes.
struct NodeProcess::Parts {
  Parts(const Config& config, const connectors::CurlEnvironment& curl, const router::Clock& clock,
        router::Log& log);
  ~Parts() { Shutdown(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void Shutdown();
  [[nodiscard]] store::EngineLoad LoadNow() const;
  // Something new is refused: counted, and looked for when there is less to do.
  void Refuse(std::string_view why);
  // Coalesces: one look at the outboxes answers for all that changed before it, and comes a moment
  // later, so that no claim of a face stands before the commit of a call that was allowed just now.
  // The next comes not too soon after it: what a turn shows within an eye's blink is one face.
  void DeliverSoon();

  Metrics metrics;
  std::unique_ptr<store::Engine> its_engine;
  store::LoadedEngine* const loaded;  // nullptr: it is in memory
  MeteredEngine engine;
  const router::Clock& clock;  // the store's, where nodes share one
  router::Log& log;
  const std::chrono::milliseconds drain;
  router::RandomIdSource ids;
  router::Node node;
  const store::TellingOf telling;
  store::InboxOver inbox;
  store::TurnsOver turns;
  store::SessionsOver sessions;
  store::ApprovalsOver approvals;
  store::ConsentsOver consents;
  store::OutboxOver outbox;
  store::EventsOver events;
  store::SchedulesOver schedule_ledger;
  store::IdleSessionsOver idle_sessions;
  store::WalksOver walks;
  store::PhonesOver phones;
  store::RetentionOver retention;
  store::ForgettingOver personal_data;
  std::optional<store::AuditOver> audit;
  Committed committed;
  MeteredInbox metered_inbox;
  MeteredTurns metered_turns;
  MeteredSessions metered_sessions;
  MeteredApprovals metered_approvals;
  MeteredOutbox metered_outbox;
  MeteredPersonalData metered_personal_data;
  WorkerPool pool;
  Admission admission;
  std::optional<connectors::CurlLoop> http;
  std::optional<connectors::CurlLoop> models_http;
  std::optional<connectors::CurlLoop> memberships_http;
  Adapters adapters;
  MeteredWorld metered_world;
  router::Directory directory;
  router::Ports ports;
  router::Shelves shelves;
  router::UnderWay under_way;
  router::GrowingReplies growing;
  router::RunTurn run;
  router::OpenTurn open;
  router::Deliver deliver;
  router::Tell tell;
  router::Seal seal;
  router::Schedules schedules;
  router::EndIdle end_idle;
  router::Retain retain;
  router::Answer answer;
  router::Explain explain;
  router::Sweep sweep;
  router::CatchUp catch_up;
  router::AfterRefusals after_refusals;
  Ticker ticker;
  SessionFeed feed;
  Streams streams;
  WorkerPool answering;
  std::atomic<bool> deliver_asked{false};
  std::atomic<router::SteadyPoint> looked_at{router::SteadyPoint{}};
  Api api;
  RouteTable routes;
  std::optional<Server> server;
  RouteTable metrics_routes;  // where the metrics have an address of their own
  std::optional<Server> metrics_server;
};

NodeProcess::Parts::Parts(const Config& config, const connectors::CurlEnvironment& curl,
                          const router::Clock& its_clock, router::Log& its_log)
    : its_engine(OpenStore(config.store)),
      loaded(dynamic_cast<store::LoadedEngine*>(its_engine.get())),
      engine(*its_engine, metrics),
      clock(engine.clock() == nullptr ? its_clock : *engine.clock()),
      log(its_log),
      drain(config.drain),
      ids(clock),
      node(router::NodeId(ids.Next("node_")), clock),
      telling(TellingIn(config)),
      inbox(engine),
      turns(engine, log, telling),
      sessions(engine, telling),
      approvals(engine, telling),
      consents(engine, telling),
      outbox(engine),
      events(engine),
      schedule_ledger(engine),
      idle_sessions(engine),
      walks(engine),
      phones(engine),
      retention(engine),
      personal_data(engine, telling),
      audit(AuditIn(config, engine, telling)),
      committed(metrics, log),
      metered_inbox(inbox, metrics, committed),
      metered_turns(turns, committed),
      metered_sessions(sessions, committed),
      metered_approvals(approvals, committed),
      metered_outbox(outbox, metrics),
      metered_personal_data(personal_data, committed),
      pool(config.limits.workers, config.limits.events_to_open, log),
      admission(
          AdmissionOf(config), [this] { return LoadNow(); }, [this] { return pool.Offered(); },
          [this] { return under_way.HasRoomForNew(); }),
      http(std::in_place, curl),
      models_http(std::in_place, curl, ForModels()),
      memberships_http(std::in_place, curl),
      adapters(MakeAdapters(config, {*http, *models_http, *memberships_http}, clock, log, &phones)),
      metered_world(adapters.apps, clock, metrics),
      directory(adapters.apps),
      ports{metered_inbox,
            metered_turns,
            metered_sessions,
            metered_approvals,
            consents,
            metered_outbox,
            *http,
            pool,
            clock,
            ids,
            log},
      shelves(pool, log, &sessions),
      under_way(config.limits.turns),
      growing(ports, directory, node),
      run(ports, directory, shelves, node, under_way, growing),
      open(ports, directory, node, run),
      deliver(ports, directory, node, growing),
      tell(ports, events, directory, node),
      seal(ports, audit ? &*audit : nullptr, directory,
           config.audit ? config.audit->keep : std::nullopt),
      schedules(schedule_ledger, clock, log, adapters.schedules),
      end_idle(idle_sessions, walks, directory, clock, log),
      retain(retention, walks, directory, clock, log, config.retention),
      answer(ports, directory, shelves, node, run, MostAsking(config)),
      explain(directory, shelves, consents, clock),
      sweep(ports, node, run, open, deliver, tell, seal, schedules, end_idle, retain),
      catch_up(ports, directory, open),
      after_refusals(
          *http, kRefusalsAreOver * config.limits.event_wait,
          [this] { pool.Run([this] { catch_up.Start(router::CatchUp::Found::kIsAnswered); }); }),
      ticker(sweep, clock, log),
      feed(sessions, *http, pool, log),
      streams(StreamOptionsOf(config), log),
      answering(kAnsweringWorkers, config.limits.answers_in_line, log),
      api{ports,
          directory,
          shelves,
          node,
          run,
          open,
          answer,
          explain,
          streams,
          feed,
          answering,
          metered_personal_data,
          audit ? &*audit : nullptr,
          [this](std::string_view key) -> std::optional<AppKey> {
            const auto found = adapters.keys.find(key);
            if (found == adapters.keys.end()) return std::nullopt;
            return found->second;
          },
          adapters.hooks,
          [this] { return ticker.StoreAnswers(); },
          [this]() -> std::optional<Problem> {
            const auto why = admission.WhyNot();
            if (!why) return std::nullopt;
            Refuse(*why);
            return Problem{ProblemCode::kOverloaded, "no more is begun here for now"};
          },
          [this](std::string_view why) { metrics.Shed(why); },
          InboxOf(config, adapters)},
      routes(log, CorsRules{config.cors_origins}),
      metrics_routes(log) {
  run.OnChanged([this](std::optional<router::TimePoint> wake_at) {
    if (wake_at) ticker.WakeBy(*wake_at);
    DeliverSoon();
  });
  deliver.LookAgainBy([this] { DeliverSoon(); });
  engine.OnWork([this] { ticker.WakeBy(clock.Now()); });
  run.OnSessionChanged([this](const router::SessionId& session) { feed.Changed(session); });
  end_idle.OnEnded([this](const router::SessionId& session) { feed.Changed(session); });
  growing.OnGrowth([this](const router::ReplyGrowth& growth) { feed.Grow(growth); });
  AddHookRoutes(routes, api, MostClicksWaiting(config));
  AddAnswerRoutes(routes, api);
  AddApprovalRoutes(routes, api);
  AddInboxRoutes(routes, api);
  AddAuditRoutes(routes, api);
  AddSessionRoutes(routes, api);
  AddCommandRoutes(routes, api);
  AddCallRoutes(routes, api);
  AddStreamRoutes(routes, api);
  AddConsentRoutes(routes, api);
  AddForgetRoute(routes, api);
  AddExplainRoute(routes, api);
  AddHealthRoutes(routes, api);
  if (loaded != nullptr) {
    loaded->OnBatch([this](std::size_t commits) { metrics.CommittedTogether(commits); });
  }
  WatchDepths(metrics, {under_way, pool, answering, server, streams, *http, *models_http,
                        *memberships_http, ticker, shelves, loaded, config.limits.connections,
                        AdmissionOf(config).store_bytes});
  AddMetricsRoute(config.metrics_listen.empty() ? routes : metrics_routes, metrics);
  routes.OnAnswered(
      [this](const std::string& method, const std::string& pattern, int status,
             std::chrono::nanoseconds took) { metrics.Answered(method, pattern, status, took); });
  server.emplace(
      ApiOptionsOf(config, [this](std::string_view why) { Refuse(why); }),
      [this](Request request) { return routes.Handle(std::move(request)); }, log);
  if (config.metrics_listen.empty()) return;
  metrics_server.emplace(
      OptionsOf(config.metrics_listen, 1),
      [this](Request request) { return metrics_routes.Handle(std::move(request)); }, log);
}

store::EngineLoad NodeProcess::Parts::LoadNow() const {
  return loaded != nullptr ? loaded->LoadNow() : store::EngineLoad();
}

void NodeProcess::Parts::Refuse(std::string_view why) {
  metrics.Shed(why);
  after_refusals.Refused();
}

void NodeProcess::Parts::DeliverSoon() {
  if (deliver_asked.exchange(true)) return;
  const auto pause = std::chrono::ceil<std::chrono::milliseconds>(looked_at.load() + kBetweenLooks -
                                                                  clock.Steady());
  ports.http.After(std::max(kGather, pause), {}, [this] {
    pool.Run([this] {
      looked_at = clock.Steady();
      deliver_asked = false;
      while (deliver.Pump() == router::Deliver::kBatch) {
      }
      tell.Pump();
    });
  });
}

void NodeProcess::Parts::Shutdown() {
  if (server) server->Stop();
  engine.OnWork({});
  if (metrics_server) metrics_server->Stop();
  streams.Stop();
  answering.Stop();
  ticker.Stop();
  pool.Stop();
  adapters.CloseSessions();
  memberships_http.reset();
  models_http.reset();
  http.reset();  // its last callbacks find a pool that drops what they ask for
}

NodeProcess::NodeProcess(const Config& config, const connectors::CurlEnvironment& curl,
                         const router::Clock& clock, router::Log& log)
    : parts_(std::make_unique<Parts>(config, curl, clock, log)) {}

NodeProcess::~NodeProcess() = default;

void NodeProcess::Start(Past past) {
  Parts& parts = *parts_;
  if (past == Past::kRestored) {
    store::RestoredOver restored(parts.engine, parts.log, parts.telling);
    router::EndWhatWasRestored(restored, parts.directory, parts.clock, parts.log);
    parts.schedules.LeaveMissed();
  }
  parts.ticker.Start();
  parts.catch_up.Start(past == Past::kRestored ? router::CatchUp::Found::kIsLeft
                                               : router::CatchUp::Found::kIsAnswered);
  for (const router::AppSetup& app : parts.directory.apps()) {
    for (const router::AgentSetup& agent : app.agents) {
      app.chat->EnsureAgentUser(agent.user, [&log = parts.log, id = agent.id](const auto& failure) {
        if (failure) {
          log.Warn("agent.user_not_ensured", {{"agent_id", id.text()}, {"why", failure->what}});
        }
      });
      // A misspelt rule is found now, not by the first message.
      parts.shelves.GetAll(agent, {app.id, {}}, router::kListAgeToOffer, {}, [](const auto&) {});
    }
  }
  if (parts.metrics_server) {
    parts.metrics_server->Start();
    parts.log.Info("metrics.listening", {{"port", std::to_string(parts.metrics_server->port())}});
  }
  parts.server->Start();
}

int NodeProcess::port() const { return parts_->server->port(); }

void NodeProcess::Drain() {
  Parts& parts = *parts_;
  parts.node.Drain();
  parts.server->Stop();
  parts.streams.Stop();
  parts.answering.Stop();
  parts.under_way.StopRepeatable();
  const auto deadline = parts.clock.Steady() + parts.drain;
  while (parts.under_way.CountCalls() > 0 && parts.clock.Steady() < deadline) {
    std::this_thread::sleep_for(kLookForCalls);
  }
  parts.log.Info("node.drained", {{"calls_out", std::to_string(parts.under_way.CountCalls())}});
  parts.ticker.Stop();
  parts.pool.Stop();
  try {
    parts.seal.Finish();
    parts.turns.Leave(parts.node.id());
  } catch (const router::Failure& failure) {
    parts.log.Warn("node.claims_kept", {{"why", failure.what()}});
  }
}

}  // namespace writ::bot
