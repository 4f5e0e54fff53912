// if, then, else
#include <initializer_list>
#include <optional>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

class Condition : public Keyword {
 public:
  Condition(NodeId condition, std::optional<NodeId> then, std::optional<NodeId> otherwise)
      : condition_(condition), then_(then), otherwise_(otherwise) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    switch (run.Try(condition_, place, seen)) {
      case Truth::kTrue:
        return then_ ? run.Apply(*then_, place, seen) : Truth::kTrue;
      case Truth::kFalse:
        return otherwise_ ? run.Apply(*otherwise_, place, seen) : Truth::kTrue;
      case Truth::kUnknown:
        return JudgeBoth(run, place, seen);
    }
    return Truth::kUnknown;
  }

  void Visit(const Json& /*value*/, BranchVisitor& visitor) const override {
    visitor.Here(condition_);
    for (const std::optional<NodeId>& branch : {then_, otherwise_}) {
      if (branch) {
        visitor.Here(*branch);
      }
    }
  }

 private:
  // Which branch counts is unknown; that matters only where they differ.
  Truth JudgeBoth(Evaluation& run, const Place& place, Evaluated* seen) const {
    if (seen != nullptr) {
      seen->uncertain = true;
    }
    const Truth then = then_ ? run.Try(*then_, place, nullptr) : Truth::kTrue;
    const Truth otherwise = otherwise_ ? run.Try(*otherwise_, place, nullptr) : Truth::kTrue;
    if (then != otherwise) {
      return Truth::kUnknown;
    }
    return then == Truth::kFalse ? run.Refuse(place, "matches neither then nor else") : then;
  }

  NodeId condition_;
  std::optional<NodeId> then_;
  std::optional<NodeId> otherwise_;
};

}  // namespace

void AddConditions(Builder& builder) {
  if (const auto condition = builder.Sub("if")) {
    builder.Add<Condition>(*condition, builder.Sub("then"), builder.Sub("else"));
  }
}

}  // namespace writ::router::schema
