// What the parts cost that have no I/O: of intake, of a turn, of what a channel is shown. The
// people and calls are those of the core's tests, the deliveries those of tests/data.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "connectors/chat/slack/blocks.h"
#include "connectors/chat/slack/intake.h"
#include "connectors/chat/stream/intake.h"
#include "router/approval/may_answer.h"
#include "router/base/digest.h"
#include "router/base/json.h"
#include "router/tool/schema/schema.h"
#include "router/turn/approval_record.h"
#include "router/turn/face.h"
#include "router/turn/next.h"
#include "router/turn/turn.h"
#include "tests/router/turn/a_turn.h"

namespace writ {
namespace {

using router::Json;

constexpr std::string_view kArguments =
    R"({"employee":{"id":"e-17","name":"Anya","teams":["north","south"]},"from":"2026-11-29",)"
    R"("hours":[7.5,8,6.25],"note":"swap with Ben – he agreed","urgent":false})";
constexpr std::string_view kSchema =
    R"({"type":"object","required":["employee","from"],"additionalProperties":false,"properties":{)"
    R"("employee":{"type":"object","required":["id"],"properties":{"id":{"type":"string",)"
    R"("pattern":"^e-[0-9]+$"},"name":{"type":"string","maxLength":100},)"
    R"("teams":{"type":"array","items":{"enum":["north","south","west"]}}}},)"
    R"("from":{"type":"string","format":"date"},)"
    R"("hours":{"type":"array","items":{"type":"number","exclusiveMinimum":0,"maximum":24}},)"
    R"("note":{"type":"string"},"urgent":{"type":"boolean"}}})";

Json Parsed(std::string_view text) {
  auto parsed = router::ParseJson(text);
  if (!parsed.value) throw std::logic_error(parsed.fault);
  return *std::move(parsed.value);
}

// A delivery of the samples; the program runs from the repository's root.
std::string Sample(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream("tests/data/samples/" + path).rdbuf();
  if (text.str().empty()) throw std::runtime_error("no sample " + path);
  return text.str();
}

void VerifySignature(benchmark::State& state) {
  const std::string body = Sample("stream/message_new.json");
  const std::string signature = router::HmacSha256Hex("s3cret", body);
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(
        router::EqualInConstantTime(router::HmacSha256Hex("s3cret", body), signature));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(body.size()));
}
BENCHMARK(VerifySignature);

void ParseWebhookAsJson(benchmark::State& state) {
  const std::string body = Sample("stream/message_new.json");
  while (state.KeepRunning()) benchmark::DoNotOptimize(router::ParseJson(body));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(body.size()));
}
BENCHMARK(ParseWebhookAsJson);

void PrintWebhookAsJson(benchmark::State& state) {
  const Json event = Parsed(Sample("stream/message_new.json"));
  while (state.KeepRunning()) benchmark::DoNotOptimize(event.Dump());
}
BENCHMARK(PrintWebhookAsJson);

void TakeStreamWebhook(benchmark::State& state) {
  const std::string body = Sample("stream/message_new.json");
  const std::string signature = router::HmacSha256Hex("s3cret", body);
  const connectors::StreamIdentity identity{
      router::AppId("acme"), {"s3cret"}, {router::UserId("helper-bot")}};
  const connectors::StreamDelivery delivery{body, signature, "hook-1"};
  const auto taken = connectors::VerifyAndParse(identity, delivery, tests::kNoon);
  if (!std::holds_alternative<router::ChannelEvent>(taken)) state.SkipWithError("not taken");
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(connectors::VerifyAndParse(identity, delivery, tests::kNoon));
  }
}
BENCHMARK(TakeStreamWebhook);

void TakeSlackWebhook(benchmark::State& state) {
  const std::string body = Sample("slack/event_message.json");
  const std::string timestamp = "1795944600";  // kNoon
  const std::string signature =
      "v0=" + router::HmacSha256Hex("s3cret", "v0:" + timestamp + ":" + body);
  const connectors::SlackDelivery delivery{body, signature, timestamp};
  const router::AppId app("acme");
  const auto taken = connectors::ReadSlackDelivery(app, "s3cret", delivery, tests::kNoon);
  if (!std::holds_alternative<router::ChannelEvent>(taken)) state.SkipWithError("not taken");
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(connectors::ReadSlackDelivery(app, "s3cret", delivery, tests::kNoon));
  }
}
BENCHMARK(TakeSlackWebhook);

// A turn whose second reply holds a call, after one call that was done.
router::Turn AHeldTurn() {
  router::Turn turn = tests::ATurn();
  turn.state = router::TurnState::kAwaitingApproval;
  turn.lease = router::Lease::kHolds;
  turn.lease_since = tests::kNoon;
  turn.first_held_at = tests::kNoon;
  turn.model_calls = 2;
  turn.asks = 1;
  router::Call done = tests::ACallThatIs(router::CallState::kDone, "call_1");
  done.result = "Echo: hi";
  router::Call held = tests::ACall("call_2", Parsed(kArguments).Canonical());
  held.round = 1;
  held.state = router::CallState::kHeld;
  held.approval = tests::AnApproval(held);
  turn.calls = {std::move(done), std::move(held)};
  turn.rounds.resize(2);
  return turn;
}

void NextDecidesAHeldCall(benchmark::State& state) {
  const router::Turn turn = AHeldTurn();
  router::Decision decision;
  decision.approved = true;
  decision.decided_by = "user:anya-1";
  decision.decided_at = tests::kNoon;
  const router::TurnEvent event{
      tests::kNoon, router::CallDecided{router::CallId("call_2"), router::ApprovalId("apr_call_2"),
                                        decision, "", "", false}};
  if (!router::Next(turn, event).accepted) state.SkipWithError("not accepted");
  while (state.KeepRunning()) benchmark::DoNotOptimize(router::Next(turn, event));
}
BENCHMARK(NextDecidesAHeldCall);

void FaceOfAHeldCall(benchmark::State& state) {
  const router::Turn turn = AHeldTurn();
  const router::UserId agent("helper-bot");
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(router::FaceOf(turn, agent, router::FaceLimits(), tests::kNoon));
  }
}
BENCHMARK(FaceOfAHeldCall);

void SlackBlocksOfAHeldCall(benchmark::State& state) {
  const router::Post post =
      router::FaceOf(AHeldTurn(), router::UserId("T1.U1"), router::FaceLimits(), tests::kNoon);
  const connectors::SlackWords words{"https://bot.example.org/inbox"};
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(connectors::SlackMessageOf(post, words));
  }
}
BENCHMARK(SlackBlocksOfAHeldCall);

void TurnToText(benchmark::State& state) {
  const router::Turn turn = AHeldTurn();
  while (state.KeepRunning()) benchmark::DoNotOptimize(router::TurnToText(turn));
}
BENCHMARK(TurnToText);

void TurnFromText(benchmark::State& state) {
  const std::string text = router::TurnToText(AHeldTurn());
  while (state.KeepRunning()) benchmark::DoNotOptimize(router::TurnFromText(text));
}
BENCHMARK(TurnFromText);

void ParseArguments(benchmark::State& state) {
  while (state.KeepRunning()) benchmark::DoNotOptimize(router::ParseJson(kArguments));
}
BENCHMARK(ParseArguments);

void CanonicalFormAndDigest(benchmark::State& state) {
  const Json arguments = Parsed(kArguments);
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(router::DigestOf(arguments.Canonical(), "tool", "crm__swap"));
  }
}
BENCHMARK(CanonicalFormAndDigest);

void ValidateArguments(benchmark::State& state) {
  const auto compiled = router::Schema::Compile(Parsed(kSchema));
  const auto& schema = compiled.schema;
  if (!schema) return state.SkipWithError("the schema has a fault");
  const Json arguments = Parsed(kArguments);
  if (schema->Validate(arguments).kind != router::SchemaVerdict::Kind::kValid) {
    return state.SkipWithError("not valid");
  }
  while (state.KeepRunning()) benchmark::DoNotOptimize(schema->Validate(arguments));
}
BENCHMARK(ValidateArguments);

void JudgeAnswer(benchmark::State& state) {
  const router::Turn turn = AHeldTurn();
  const router::HeldThere there{true, turn.calls[1].approval, true};
  const router::Caller caller = router::UserCaller{tests::kAnya, tests::kNoon};
  const router::Membership membership{router::Membership::Answer::kMember, std::nullopt};
  while (state.KeepRunning())
    benchmark::DoNotOptimize(router::JudgeAnswer(caller, there, membership));
}
BENCHMARK(JudgeAnswer);

}  // namespace
}  // namespace writ
