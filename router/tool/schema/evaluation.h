#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "router/tool/schema/keyword.h"
#include "router/tool/schema/program.h"
#include "router/tool/schema/schema.h"

namespace writ::router::schema {

// One run of Schema::Validate(): what keywords need of it, and what it has found so far.
class Evaluation {
 public:
  explicit Evaluation(const Program& program) : program_(program) {}

  [[nodiscard]] SchemaVerdict Run(const Json& data);

  // Applies a schema to a value. What it has evaluated goes into `seen` where it holds.
  [[nodiscard]] Truth Apply(NodeId node, const Place& place, Evaluated* seen);

  // The same for a branch that need not hold: its faults are nobody's.
  [[nodiscard]] Truth Try(NodeId node, const Place& place, Evaluated* seen);

  // Takes `steps` from the budget. Once it is used up nothing more can be judged, whatever the
  // branches would say.
  [[nodiscard]] bool Spend(std::size_t steps);
  [[nodiscard]] bool spent() const { return spent_; }

  // kFalse, and tells why: `rule`, with `detail` (of the schema, not of the data) behind it.
  [[nodiscard]] Truth Refuse(const Place& place, std::string_view rule,
                             std::string_view detail = {});
  // kUnknown, and keeps the first reason.
  [[nodiscard]] Truth CannotJudge(std::string_view reason);

  // The schema that `$dynamicRef` means here: that of the outermost resource which is being
  // evaluated and has this `$dynamicAnchor`; else `otherwise`.
  [[nodiscard]] NodeId DynamicTarget(std::string_view anchor, NodeId otherwise);

 private:
  // A schema that is being applied: a chain up to the root, on the stack.
  struct Frame {
    NodeId node;
    const Json* value;
    const Frame* outer;
    std::size_t depth;
  };

  [[nodiscard]] bool GoesRound(NodeId node, const Json* value);
  [[nodiscard]] Truth JudgeAll(const Node& node, const Place& place, Evaluated* own);

  const Program& program_;
  const Frame* top_ = nullptr;
  std::size_t steps_ = 0;
  bool spent_ = false;
  std::size_t quiet_ = 0;  // branches around us whose faults are nobody's
  SchemaVerdict verdict_;
};

}  // namespace writ::router::schema
