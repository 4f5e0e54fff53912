#include "store/memory/memory_engine.h"

#include <memory>

#include "tests/contract/engine_contract.h"

namespace writ::store {

namespace {

class Memory final : public EngineUnderTest {
 public:
  Engine& engine() override { return engine_; }

 private:
  MemoryEngine engine_;
};

std::unique_ptr<EngineUnderTest> MakeMemory() { return std::make_unique<Memory>(); }

}  // namespace

INSTANTIATE_TEST_SUITE_P(Memory, EngineContract, testing::Values(MakeMemory));

}  // namespace writ::store
