#include "tests/chaos/run.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "router/base/failure.h"
#include "router/base/json.h"
#include "tests/chaos/collect.h"
#include "tests/chaos/front.h"
#include "tests/chaos/injector.h"
#include "tests/chaos/nodes.h"
#include "tests/chaos/outside.h"
#include "tests/chaos/people.h"
#include "tests/chaos/postman.h"
#include "tests/chaos/run_clock.h"
#include "tests/chaos/store_under_test.h"
#include "tests/chaos/watch.h"
#include "tests/support/stage/world.h"

namespace writ::chaos {
namespace {

using router::Json;
using tests::World;

constexpr Milliseconds kTick{50};
constexpr Milliseconds kLook{250};      // at the channels and at the store
constexpr Milliseconds kLingers{3000};  // a channel is looked at, after its last message
constexpr Milliseconds kStartsWithin{60000};

Json Texts(std::initializer_list<const char*> texts) {
  Json array = Json::MakeArray();
  for (const char* text : texts) array.Push(text);
  return array;
}

tests::WorldOptions WorldOptionsOf(const RunOptions& options) {
  tests::WorldOptions world;
  world.start = false;
  world.crm = [](Json& crm) {
    crm.Set("require_approval", Texts({"echo", "book"}));
    crm.Set("idempotent", Texts({"lookup", "book"}));
    crm.Set("timeout_s", 8);
  };
  world.agent = [&options](Json& agent) {
    agent.Find("model")->Set("timeout_s", 8);
    Json* limits = agent.Find("limits");
    limits->Set("approval_wait_s", options.approval_wait_s);
    limits->Set("channel_wait_s", options.channel_wait_s);
  };
  world.config = [](Json& config) {
    config.Set("audit", Json::MakeObject({{"secret", kAuditSecret}}));
  };
  return world;
}

// The configuration that the world wrote, with each node's own way to the store.
std::vector<Json> ConfigsOf(const World& world, const StoreUnderTest& store, std::size_t nodes) {
  std::ifstream file(world.File("writ.json"));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<Json> configs(nodes, router::ParseJson(text).value.value());
  for (std::size_t node = 0; node < nodes; ++node) {
    configs[node].Set("store", store.ConfigOf(node));
  }
  return configs;
}

std::string CidOf(std::size_t channel) { return "callouts:chaos-" + std::to_string(channel); }

bool HasEnded(const Json& message) {
  const Json* runtime = message.Find("support_runtime");
  const std::string state = runtime == nullptr ? "" : runtime->TextAt("state");
  return state == "completed" || state == "failed" || state == "cancelled";
}

// Everything of a run, in the order in which it is made and, the other way round, ended.
class Stage {
 public:
  explicit Stage(const RunOptions& options)
      : options_(WithStore(options)),
        schedule_(MakeSchedule(options_.schedule)),
        world_(WorldOptionsOf(options_)),
        http_(environment_),
        store_(MakeStoreUnderTest(options_.store, options_.schedule.nodes, options_.folder)),
        nodes_(ConfigsOf(world_, *store_, options_.schedule.nodes), options_.folder),
        front_(PortsOf(nodes_), options_.folder),
        outside_(world_, clock_, schedule_.messages),
        injector_(nodes_, *store_, outside_, http_, clock_),
        postman_(world_, http_, clock_, [this](int node) { return UrlOf(node); }),
        people_(
            world_, http_, clock_, [this](int node) { return UrlOf(node); }, nodes_.count(),
            schedule_.messages) {
    world_.chat().world().AddUser("dora-4", "Dora");
  }

  RunResult Play() {
    StartNodes();
    const Moment begun = clock_.Now();
    PlaySchedule(begun);
    injector_.EndAll();
    outside_.Heal();
    result_.settled = Settle();
    result_.lasted = clock_.Now() - begun;
    Collect();
    result_.findings = Check(result_.evidence);
    if (!result_.settled) {
      result_.findings.push_back({kNothingLeft, "the run", "it did not come to rest"});
    }
    return std::move(result_);
  }

 private:
  static RunOptions WithStore(RunOptions options) {
    const bool shared = options.store != "sqlite";
    options.schedule.store_is_shared = shared;
    options.schedule.can_be_cut = shared;
    options.schedule.nodes = shared ? 3 : 1;
    return options;
  }
  static std::vector<int> PortsOf(const Nodes& nodes) {
    std::vector<int> ports;
    ports.reserve(nodes.count());
    for (std::size_t node = 0; node < nodes.count(); ++node) ports.push_back(nodes.PortOf(node));
    return ports;
  }
  [[nodiscard]] std::string UrlOf(int node) const {
    return node < 0 ? front_.url() : nodes_.UrlOf(static_cast<std::size_t>(node));
  }
  [[nodiscard]] bool IsReady(std::size_t node) const {
    return tests::ApiClient(nodes_.PortOf(node)).Get({}, "/readyz").status == 200;
  }

  void StartNodes() {
    for (std::size_t node = 0; node < nodes_.count(); ++node) nodes_.Start(node);
    for (std::size_t node = 0; node < nodes_.count(); ++node) {
      if (!tests::Eventually([&] { return IsReady(node); }, kStartsWithin)) {
        throw std::runtime_error("node " + std::to_string(node) + " did not come up");
      }
    }
    if (!store_->IsShared()) return;
    store_->KeepClaims();
    engine_ = store_->Open();
    watch_.emplace(*engine_, clock_, kLook);
  }

  void PlaySchedule(Moment begun) {
    auto fault = schedule_.faults.begin();
    auto message = schedule_.messages.begin();
    while (clock_.Now() - begun < options_.schedule.length && !options_.is_stopped()) {
      const Moment now = clock_.Now() - begun;
      for (; fault != schedule_.faults.end() && fault->at <= now; ++fault) {
        injector_.Begin(*fault);
      }
      for (; message != schedule_.messages.end() && message->at <= now; ++message) {
        Write(*message);
      }
      Tend();
      std::this_thread::sleep_for(kTick);  // the schedule is one of times
    }
  }

  void Write(const PlannedMessage& message) {
    const std::string cid = CidOf(message.channel);
    if (cids_.insert(cid).second) {
      world_.AddChannel(cid, {"anya-1", "ben-2", "cleo-3", "dora-4"});
    }
    postman_.Write(message, cid);
    active_[cid] = clock_.Now();
    ++written_[cid];
    if (std::ranges::any_of(message.calls, [](const auto& call) { return IsHeld(call.tool); })) {
      ++result_.consents[message.consent];
    }
  }

  void Tend() {
    injector_.Tend();
    if (clock_.Now() - looked_ < kLook) return;
    looked_ = clock_.Now();
    std::set<std::string> cids;
    for (const auto& [cid, since] : active_) cids.insert(cid);
    people_.LookAt(cids);
    if (watch_) watch_->LookAt(cids);
    for (const std::string& cid : cids) LookForEnds(cid);
    for (std::string& fault : nodes_.TakeFaults()) {
      result_.evidence.node_faults.push_back(std::move(fault));
    }
  }

  // Takes the time of what has ended there, and whether the channel may be left alone.
  void LookForEnds(const std::string& cid) {
    std::size_t ended = 0;
    for (const Json& message : world_.BotMessages(cid)) {
      if (!HasEnded(message)) continue;
      ++ended;
      if (const std::string word = WordIn(message.TextAt("text")); !word.empty()) {
        ended_at_.emplace(word, clock_.Now());
      }
    }
    if (ended >= written_[cid] && clock_.Now() - active_[cid] > kLingers) active_.erase(cid);
  }

  bool Settle() {
    const Moment deadline = clock_.Now() + options_.settles_within;
    while (clock_.Now() < deadline) {
      injector_.EndAll();
      Tend();
      if (active_.empty() && injector_.IsQuiet() && people_.IsIdle() &&
          postman_.IsAllAcknowledged() && IsNothingLeft()) {
        return true;
      }
      std::this_thread::sleep_for(kTick);
    }
    return false;
  }

  bool IsNothingLeft() {
    if (!engine_) return true;
    try {
      return LeftIn(*engine_, cids_).empty();
    } catch (const router::Failure&) {
      return false;
    }
  }

  void Collect() {
    Evidence& evidence = result_.evidence;
    evidence.said = postman_.said();
    evidence.executions = outside_.executions();
    evidence.asked = outside_.asked();
    evidence.answers = people_.answers();
    evidence.model_faults = world_.model().faults();
    if (watch_) {
      evidence.leases = watch_->leases();
      evidence.claims = store_->KeptClaims();
      if (evidence.claims.empty()) evidence.claims = watch_->claims();
      result_.looks = watch_->looks();
    }
    CollectShown(world_, cids_, evidence);
    std::this_thread::sleep_for(std::chrono::seconds(2));  // the audit log's last seals
    CollectRecords(world_, tests::ApiClient(nodes_.PortOf(0)), cids_, evidence);
    watch_.reset();
    nodes_.TerminateAll();
    for (std::string& fault : nodes_.TakeFaults()) evidence.node_faults.push_back(std::move(fault));
    if (!engine_) engine_ = store_->Open();
    evidence.leftovers = LeftIn(*engine_, cids_);
    result_.faults = injector_.begun();
    result_.recoveries = injector_.recoveries();
    result_.log = injector_.log();
    result_.channels = cids_.size();
    result_.deliveries = postman_.deliveries();
    TakeLatencies();
  }

  void TakeLatencies() {
    std::set<std::string> with_held;
    for (const PlannedMessage& message : schedule_.messages) {
      for (const PlannedCall& call : message.calls) {
        if (IsHeld(call.tool)) with_held.insert(message.word);
      }
    }
    for (const Said& said : result_.evidence.said) {
      const auto ended = ended_at_.find(said.word);
      if (ended == ended_at_.end() || !said.acknowledged || with_held.contains(said.word)) continue;
      result_.answered_after.push_back(std::max(Moment(0), ended->second - *said.acknowledged));
    }
    std::ranges::sort(result_.answered_after);
  }

  const RunOptions options_;
  const Schedule schedule_;
  const RunClock clock_;
  World world_;
  connectors::CurlEnvironment environment_;
  connectors::CurlLoop http_;
  std::unique_ptr<StoreUnderTest> store_;
  Nodes nodes_;
  Front front_;
  Outside outside_;
  Injector injector_;
  Postman postman_;
  People people_;
  std::unique_ptr<store::Engine> engine_;
  std::optional<Watch> watch_;

  RunResult result_;
  std::set<std::string> cids_;
  std::map<std::string, Moment> active_;  // channels that are looked at; the last message's time
  std::map<std::string, std::size_t> written_;  // messages, by channel
  std::map<std::string, Moment> ended_at_;      // by word
  Moment looked_{0};
};

}  // namespace

RunResult Run(const RunOptions& options) { return Stage(options).Play(); }

}  // namespace writ::chaos
