#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/child_process.h"

namespace writ::tests {

// A PostgreSQL of a test's own, in a temporary folder, reached over a socket there. It runs as the
// package's user where the test runs as root, which it refuses to be. Goes with this object, and
// with the thread that started it: the kernel tells of a parent's end by threads.
class PostgresCluster {
 public:
  using Settings = std::vector<std::string>;  // `name=value`

  // Makes it, and starts it unless told otherwise.
  // throws  std::runtime_error, which says what is missing
  explicit PostgresCluster(const Settings& settings = {}, bool start = true);
  ~PostgresCluster();
  PostgresCluster(const PostgresCluster&) = delete;
  PostgresCluster& operator=(const PostgresCluster&) = delete;

  void Start(const Settings& settings = {});  // and waits until it answers
  void Stop();                                // ends its clients, in order
  void Kill();                                // all its processes at once, as a crash would

  // Of its superuser; `more` is added to it.
  [[nodiscard]] std::string Dsn(const std::string& more = "user=postgres") const;
  [[nodiscard]] std::string Socket() const;  // its path
  // Of all its processes, those that ended included.
  [[nodiscard]] double CpuSeconds() const;
  // What psql prints of a statement run as the superuser.
  // throws  std::runtime_error where it fails
  std::string Run(const std::string& sql) const;

 private:
  [[nodiscard]] bool Answers() const;

  std::filesystem::path folder_;
  std::filesystem::path programs_;
  Settings settings_;
  std::unique_ptr<ChildProcess> server_;
};

// One that all tests of a process share, started by the first that asks.
[[nodiscard]] PostgresCluster& SharedPostgres();
// A name that no other test of the process uses, for a schema.
[[nodiscard]] std::string NewSchema();

}  // namespace writ::tests
