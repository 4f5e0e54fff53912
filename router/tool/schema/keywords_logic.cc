// allOf, anyOf, oneOf, not
#include <cstddef>
#include <utility>
#include <vector>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

class Branches : public Keyword {
 public:
  explicit Branches(std::vector<NodeId> nodes) : nodes_(std::move(nodes)) {}

  void Visit(const Json& /*value*/, BranchVisitor& visitor) const final {
    for (const NodeId node : nodes_) {
      visitor.Here(node);
    }
  }

 protected:
  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }

 private:
  std::vector<NodeId> nodes_;
};

class AllOf : public Branches {
 public:
  using Branches::Branches;

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    Truth result = Truth::kTrue;
    for (std::size_t i = 0; i < nodes().size() && !run.spent(); ++i) {
      result = And(result, run.Apply(nodes()[i], place, seen));
    }
    return result;
  }
};

class AnyOf : public Branches {
 public:
  using Branches::Branches;

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    Truth result = Truth::kFalse;
    for (std::size_t i = 0; i < nodes().size() && !run.spent(); ++i) {
      result = Or(result, run.Try(nodes()[i], place, seen));
      if (result == Truth::kTrue && seen == nullptr) {
        break;  // with unevaluated* every branch that holds counts
      }
    }
    return result == Truth::kFalse ? run.Refuse(place, "matches no branch of anyOf") : result;
  }
};

class OneOf : public Branches {
 public:
  using Branches::Branches;

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    std::size_t certain = 0;
    std::size_t possible = 0;
    for (std::size_t i = 0; i < nodes().size() && certain < 2 && !run.spent(); ++i) {
      const Truth branch = run.Try(nodes()[i], place, seen);
      certain += branch == Truth::kTrue ? 1U : 0U;
      possible += branch == Truth::kFalse ? 0 : 1;
    }
    if (certain > 1) {
      return run.Refuse(place, "matches more than one branch of oneOf");
    }
    if (possible == 0) {
      return run.Refuse(place, "matches no branch of oneOf");
    }
    return certain == possible ? Truth::kTrue : Truth::kUnknown;
  }
};

class NotRule : public Branches {
 public:
  using Branches::Branches;

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    const Truth result = Not(run.Try(nodes().front(), place, nullptr));
    return result == Truth::kFalse ? run.Refuse(place, "matches what not excludes") : result;
  }
};

}  // namespace

void AddLogic(Builder& builder) {
  if (auto nodes = builder.SubList("allOf"); !nodes.empty()) {
    builder.Add<AllOf>(std::move(nodes));
  }
  if (auto nodes = builder.SubList("anyOf"); !nodes.empty()) {
    builder.Add<AnyOf>(std::move(nodes));
  }
  if (auto nodes = builder.SubList("oneOf"); !nodes.empty()) {
    builder.Add<OneOf>(std::move(nodes));
  }
  if (const auto node = builder.Sub("not")) {
    builder.Add<NotRule>(std::vector<NodeId>{*node});
  }
}

}  // namespace writ::router::schema
