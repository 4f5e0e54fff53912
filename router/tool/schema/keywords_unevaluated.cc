// unevaluatedItems, unevaluatedProperties
#include <cstddef>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

// One child that no other keyword has surely looked at. Where one may have, a refusal is doubtful.
Truth JudgeChild(Evaluation& run, NodeId node, const Place& child, bool uncertain) {
  if (!uncertain) {
    return run.Apply(node, child, nullptr);
  }
  return Or(run.Try(node, child, nullptr), Truth::kUnknown);
}

class UnevaluatedItems : public Keyword {
 public:
  explicit UnevaluatedItems(NodeId node) : node_(node) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    if (!place.value.IsArray() || seen == nullptr) {
      return Truth::kTrue;
    }
    Truth result = Truth::kTrue;
    const Json::Array& elements = place.value.array();
    for (std::size_t i = 0; i < elements.size() && !run.spent(); ++i) {
      if (!seen->marks[i]) {
        const Place child{elements[i], &place, {}, i};
        result = And(result, JudgeChild(run, node_, child, seen->uncertain));
      }
    }
    seen->MarkAll();
    return result;
  }

  void Visit(const Json& value, BranchVisitor& visitor) const override {
    for (std::size_t i = 0; value.IsArray() && i < value.array().size(); ++i) {
      visitor.Element(node_, i);
    }
  }

 private:
  NodeId node_;
};

class UnevaluatedProperties : public Keyword {
 public:
  explicit UnevaluatedProperties(NodeId node) : node_(node) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    if (!place.value.IsObject() || seen == nullptr) {
      return Truth::kTrue;
    }
    Truth result = Truth::kTrue;
    std::size_t position = 0;
    for (const JsonMember& member : place.value.object()) {
      if (!seen->marks[position++] && !run.spent()) {
        const Place child{member.value, &place, member.key, 0};
        result = And(result, JudgeChild(run, node_, child, seen->uncertain));
      }
    }
    seen->MarkAll();
    return result;
  }

  void Visit(const Json& value, BranchVisitor& visitor) const override {
    if (!value.IsObject()) {
      return;
    }
    for (const JsonMember& member : value.object()) {
      visitor.Member(node_, member);
    }
  }

 private:
  NodeId node_;
};

}  // namespace

void AddUnevaluated(Builder& builder) {
  for (const bool items : {true, false}) {
    const auto node = builder.Sub(items ? "unevaluatedItems" : "unevaluatedProperties");
    if (!node) {
      continue;
    }
    builder.AsksUnevaluated();
    if (items) {
      builder.Add<UnevaluatedItems>(*node);
    } else {
      builder.Add<UnevaluatedProperties>(*node);
    }
  }
}

}  // namespace writ::router::schema
