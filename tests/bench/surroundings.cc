#include "tests/bench/surroundings.h"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <string>

#include "tests/bench/load.h"

namespace writ::bench {
namespace {

constexpr std::chrono::milliseconds kPause{100};

// CPU seconds that all processors were busy, or had taken from them by the host: the first line of
// /proc/stat, proc(5).
double BusySeconds() {
  std::ifstream stat("/proc/stat");
  std::string name;
  stat >> name;
  double busy = 0;
  constexpr int kIdle = 3;
  constexpr int kWaitsForDisk = 4;
  constexpr int kStolen = 7;
  for (int field = 0; field <= kStolen; ++field) {
    double ticks = 0;
    stat >> ticks;
    if (field != kIdle && field != kWaitsForDisk) busy += ticks;
  }
  return busy / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

Surroundings::Surroundings(const NodeUnderLoad& node, const std::filesystem::path& folder)
    : node_(node),
      file_(folder, kSyncedBlock),
      before_(SpentUntilNow()),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

Surroundings::Figures Surroundings::Take() {
  const Spent now = SpentUntilNow();
  const std::lock_guard lock(mutex_);
  Figures figures;
  figures.sync_ms = Quantile(syncs_, 0.5);
  figures.files = Quantile(files_, 0.5);
  figures.node_seconds = now.node - before_.node;
  figures.other_seconds = now.others - before_.others;
  figures.seconds = std::chrono::duration<double>(now.at - before_.at).count();
  syncs_.clear();
  files_.clear();
  before_ = now;
  return figures;
}

Surroundings::Spent Surroundings::SpentUntilNow() const {
  const double node = node_.CpuSeconds();
  const double own = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return {Steady::now(), node, BusySeconds() - node - own};
}

void Surroundings::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const double took = file_.AppendMs();
    const double files = node_.Figures().files;
    {
      const std::lock_guard lock(mutex_);
      syncs_.push_back(took);
      files_.push_back(files);
    }
    std::this_thread::sleep_for(kPause);  // so that it is no load of its own
  }
}

}  // namespace writ::bench
