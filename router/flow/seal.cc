#include "router/flow/seal.h"

#include <chrono>
#include <cstddef>
#include <string>

#include "router/base/failure.h"

namespace writ::router {
namespace {

constexpr std::size_t kBatch = 500;
constexpr std::chrono::seconds kSealEvery{1};
constexpr std::chrono::minutes kRemoveEvery{1};

bool IsSoon(const std::optional<SteadyPoint>& last, SteadyPoint now, SteadyPoint::duration every) {
  return last && now - *last < every;
}

}  // namespace

void Seal::Run() {
  if (audit_ == nullptr) return;
  const SteadyPoint now = ports_.clock.Steady();
  if (!IsSoon(sealed_at_, now, kSealEvery)) {
    sealed_at_ = now;
    SealAll();
  }
  if (keep_ && !IsSoon(removed_at_, now, kRemoveEvery)) {
    removed_at_ = now;
    RemoveOld();
  }
}

void Seal::Finish() {
  if (audit_ != nullptr) SealAll();
}

void Seal::SealAll() {
  for (const AppSetup& app : directory_.apps()) {
    while (const auto head = audit_->SealEntries(app.id, kBatch, ports_.clock.Now())) {
      ports_.log.Info("audit.head", {{"app_id", app.id.text()}, {"head", TextOf(*head)}});
    }
  }
}

void Seal::RemoveOld() {
  for (const AppSetup& app : directory_.apps()) {
    const TimePoint now = ports_.clock.Now();
    std::size_t removed = 0;
    while (const std::size_t some = audit_->RemoveEntries(app.id, now - *keep_, kBatch, now)) {
      removed += some;
    }
    if (removed > 0) {
      ports_.log.Info("audit.removed",
                      {{"app_id", app.id.text()}, {"entries", std::to_string(removed)}});
    }
  }
}

}  // namespace writ::router
