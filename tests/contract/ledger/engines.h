#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "store/records.h"

namespace writ::tests {

// An engine on an empty store, with whatever must live as long as it does.
class LedgerEngine {
 public:
  virtual ~LedgerEngine() = default;
  virtual store::Engine& engine() = 0;
};

struct EngineCase {
  std::string name;
  std::unique_ptr<LedgerEngine> (*make)();

  // How a test's name shows it.
  friend std::ostream& operator<<(std::ostream& out, const EngineCase& engine) {
    return out << engine.name;
  }
};

// Every engine there is: each suite of the ledgers runs on each. A new engine is a line there.
[[nodiscard]] const std::vector<EngineCase>& Engines();

}  // namespace writ::tests
