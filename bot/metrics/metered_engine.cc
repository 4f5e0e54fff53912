#include "bot/metrics/metered_engine.h"

#include <chrono>
#include <exception>

#include "router/base/failure.h"

namespace writ::bot {

void MeteredEngine::Commit(const std::function<void(store::Records&)>& work) {
  const auto began = std::chrono::steady_clock::now();
  const auto took = [began] { return std::chrono::steady_clock::now() - began; };
  try {
    engine_.Commit(work);
  } catch (const router::Failure& failure) {
    const bool is_store = failure.kind() == router::Failure::Kind::kTransient;
    metrics_.CommitTook(is_store ? "failed" : "refused", took());
    throw;
  } catch (const std::exception&) {
    metrics_.CommitTook("refused", took());
    throw;
  }
  metrics_.CommitTook("done", took());
}

}  // namespace writ::bot
