#include <string>
#include <utility>
#include <vector>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

class Ref : public Keyword {
 public:
  explicit Ref(NodeId target) : target_(target) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    return run.Apply(target_, place, seen);
  }
  void Visit(const Json& /*value*/, BranchVisitor& visitor) const override {
    visitor.Here(target_);
  }

 private:
  NodeId target_;
};

class DynamicRef : public Keyword {
 public:
  DynamicRef(NodeId target, std::string anchor, std::vector<NodeId> candidates)
      : target_(target), anchor_(std::move(anchor)), candidates_(std::move(candidates)) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    return run.Apply(run.DynamicTarget(anchor_, target_), place, seen);
  }
  void Visit(const Json& /*value*/, BranchVisitor& visitor) const override {
    for (const NodeId candidate : candidates_) {
      visitor.Here(candidate);
    }
  }

 private:
  NodeId target_;
  std::string anchor_;
  std::vector<NodeId> candidates_;  // every schema of the document with this anchor
};

void AddDynamicRef(Builder& builder, const std::string& reference) {
  const auto target = builder.document().Resolve(builder.id(), "$dynamicRef", reference);
  if (!target) {
    return;
  }
  if (target->dynamic_anchor.empty()) {
    builder.Add<Ref>(target->node);
    return;
  }
  std::vector<NodeId> candidates;
  for (const AnchorTargets& anchors : builder.document().DynamicAnchors()) {
    if (const auto found = anchors.find(target->dynamic_anchor); found != anchors.end()) {
      candidates.push_back(found->second);
    }
  }
  builder.Add<DynamicRef>(target->node, target->dynamic_anchor, std::move(candidates));
}

}  // namespace

void AddReferences(Builder& builder) {
  if (const auto reference = builder.Text("$ref")) {
    if (const auto target = builder.document().Resolve(builder.id(), "$ref", *reference)) {
      builder.Add<Ref>(target->node);
    }
  }
  if (builder.draft() == Draft::k7) {
    return;
  }
  if (const auto reference = builder.Text("$dynamicRef")) {
    AddDynamicRef(builder, *reference);
  }
}

}  // namespace writ::router::schema
