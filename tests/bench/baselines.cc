#include "tests/bench/baselines.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "bot/process/system_clock.h"
#include "store/sqlite/sqlite_engine.h"
#include "tests/bench/load.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

constexpr std::chrono::seconds kLong{2};
constexpr std::size_t kRow = 3072;
constexpr int kProducers = 64;

// Milliseconds that each append of so many bytes took, with its sync.
std::vector<double> AppendAndSync(const std::filesystem::path& folder, std::size_t bytes) {
  SyncedFile file(folder, bytes);
  std::vector<double> took;
  for (const auto start = Steady::now(); Steady::now() < start + kLong;) {
    took.push_back(file.AppendMs());
  }
  return took;
}

}  // namespace

SyncedFile::SyncedFile(const std::filesystem::path& folder, std::size_t bytes)
    : folder_(folder),
      file_(open(folder_.File("log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)),
      block_(bytes, 'x') {}

double SyncedFile::AppendMs() {
  const auto before = Steady::now();
  if (write(file_.fd(), block_.data(), block_.size()) != static_cast<ssize_t>(block_.size()) ||
      fdatasync(file_.fd()) != 0) {
    throw std::system_error(errno, std::generic_category(), "appending to a file");
  }
  return std::chrono::duration<double, std::milli>(Steady::now() - before).count();
}

double AppendAndSyncMs(const std::filesystem::path& folder) {
  return Quantile(AppendAndSync(folder, kSyncedBlock), 0.5);
}

double SyncsPerSecond(const std::filesystem::path& folder) {
  return static_cast<double>(AppendAndSync(folder, kRow).size()) /
         std::chrono::duration<double>(kLong).count();
}

double GroupCommitsPerSecond(const std::filesystem::path& folder) {
  const tests::TemporaryFolder own(folder);
  store::SqliteEngine engine({.path = own.File("rows.db")});
  const auto start = Steady::now();
  std::atomic<int> rows{0};
  {
    std::vector<std::jthread> producers;
    producers.reserve(kProducers);
    for (int producer = 0; producer < kProducers; ++producer) {
      producers.emplace_back([&, producer] {
        store::EventRow row;
        row.app = "acme";
        row.state = store::EventRow::State::kDone;
        row.received_at = bot::SystemClock().Now();
        row.doc = std::string(kRow, 'x');
        for (int i = 0; Steady::now() < start + kLong; ++i) {
          row.key = "new:" + std::to_string(producer) + "-" + std::to_string(i);
          engine.Commit([&](store::Records& records) { (void)records.InsertEvent(row); });
          ++rows;
        }
      });
    }
  }
  return rows / std::chrono::duration<double>(Steady::now() - start).count();
}

}  // namespace writ::bench
