#include "tests/bench/answers.h"

namespace writ::bench {

void AnswerLatencies::Add(const AnswerLatencies& others) {
  answered.insert(answered.end(), others.answered.begin(), others.answered.end());
  arrived.insert(arrived.end(), others.arrived.begin(), others.arrived.end());
}

AnswerLatencies GiveAnswers(World& world, const NodeUnderLoad& node, const std::vector<Held>& calls,
                            double rate) {
  LoadPlan plan;
  plan.port = node.port();
  plan.connections = rate > 0 ? 32 : 1;
  plan.per_second = rate;
  plan.within = std::chrono::minutes(2);
  plan.most = calls.size();
  const LoadResult result = Drive(plan, [&](std::size_t n) { return world.AnswerBytes(calls[n]); });
  result.MustAllBe(204);
  AnswerLatencies latencies;
  latencies.answered = result.Latencies();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto took = world.ArrivalOf(calls[i]) - result.exchanges[i].due;
    latencies.arrived.push_back(std::chrono::duration<double, std::milli>(took).count());
  }
  return latencies;
}

std::vector<Held> Subject::Hold(std::size_t count) {
  std::vector<Held> held = world_.HoldCalls(*node_, count);
  node_->WaitUntilIdle();
  return held;
}

}  // namespace writ::bench
