#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/json.h"
#include "store/records.h"
#include "tests/chaos/evidence.h"

namespace writ::chaos {

// The store that the nodes of a run have, with its own process where it has one. Used by one
// thread, which lives as long as this.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool IsShared() const = 0;
  // `store` of a node's configuration.
  [[nodiscard]] virtual router::Json ConfigOf(std::size_t node) const = 0;

  virtual void Crash() = 0;  // all its processes at once
  virtual void Stop() = 0;   // in order
  virtual void Start() = 0;  // and waits until it answers
  // Nothing passes between the node and the store, and nothing is closed.
  virtual void Cut(std::size_t node) = 0;
  virtual void Join(std::size_t node) = 0;
  // The node's next commit is done, and the answer to it lost.
  virtual void LoseCommitOf(std::size_t node) = 0;

  // From now on the store itself keeps each claim that is made, where it can. Once, when the nodes
  // have made its tables.
  virtual void KeepClaims() {}
  [[nodiscard]] virtual std::vector<ClaimSeen> KeptClaims() const { return {}; }

  // A way of one's own to its rows. Where nodes do not share the store: when none runs.
  [[nodiscard]] virtual std::unique_ptr<store::Engine> Open() const = 0;
};

// `folder` is where it may keep files.
// throws  std::invalid_argument where there is no such store
[[nodiscard]] std::unique_ptr<StoreUnderTest> MakeStoreUnderTest(std::string_view name,
                                                                 std::size_t nodes,
                                                                 const std::string& folder);

}  // namespace writ::chaos
