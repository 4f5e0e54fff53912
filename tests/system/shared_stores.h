#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "router/base/json.h"
#include "tests/support/cut_proxy.h"

namespace writ::tests {

// A server that nodes share, as a test's own: it dies, comes back, and is slow.
class SharedStore {
 public:
  virtual ~SharedStore() = default;

  // `store` of a configuration.
  [[nodiscard]] virtual router::Json Config() const = 0;
  // The same by way of a proxy before its socket.
  [[nodiscard]] virtual router::Json ConfigThrough(const CutProxy& proxy) const = 0;
  [[nodiscard]] virtual std::string Socket() const = 0;

  virtual void Start() = 0;
  virtual void Stop() = 0;  // in order
  virtual void Kill() = 0;  // as a crash would
  virtual void Empty() = 0;
  // Lets nobody commit anything about `callouts:team-1` of `acme`, for so long, and returns then.
  virtual void HoldUp(std::chrono::seconds duration) = 0;
};

[[nodiscard]] std::unique_ptr<SharedStore> MakePostgresStore();
[[nodiscard]] std::unique_ptr<SharedStore> MakeRedisStore();

}  // namespace writ::tests
