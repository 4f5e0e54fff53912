// maxProperties, minProperties, properties, patternProperties, additionalProperties,
// propertyNames
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

class MemberCount : public Keyword {
 public:
  MemberCount(std::size_t limit, bool upper) : limit_(limit), upper_(upper) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    if (!place.value.IsObject()) {
      return Truth::kTrue;
    }
    const std::size_t count = place.value.object().size();
    if (upper_ ? count <= limit_ : count >= limit_) {
      return Truth::kTrue;
    }
    return run.Refuse(place,
                      upper_ ? "must have at most this many properties:"
                             : "must have at least this many properties:",
                      std::to_string(limit_));
  }

 private:
  std::size_t limit_;
  bool upper_;
};

class Properties : public Keyword {
 public:
  struct ByPattern {
    Pattern pattern;
    NodeId node;
  };

  Properties(std::map<std::string, NodeId, std::less<>> by_name, std::vector<ByPattern> by_pattern,
             std::optional<NodeId> additional)
      : by_name_(std::move(by_name)), by_pattern_(std::move(by_pattern)), additional_(additional) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    if (!place.value.IsObject()) {
      return Truth::kTrue;
    }
    Truth result = Truth::kTrue;
    std::size_t position = 0;
    for (const JsonMember& member : place.value.object()) {
      if (!run.Spend(StepsFor(member.key))) {
        return Truth::kUnknown;
      }
      for (const NodeId node : NodesFor(member.key)) {
        result = And(result, run.Apply(node, Place{member.value, &place, member.key, 0}, nullptr));
        if (seen != nullptr) {
          seen->Mark(position);
        }
      }
      ++position;
    }
    return result;
  }

  void Visit(const Json& value, BranchVisitor& visitor) const override {
    if (!value.IsObject()) {
      return;
    }
    for (const JsonMember& member : value.object()) {
      if (!visitor.Spend(StepsFor(member.key))) {
        return;
      }
      for (const NodeId node : NodesFor(member.key)) {
        visitor.Member(node, member);
      }
    }
  }

 private:
  [[nodiscard]] std::size_t StepsFor(const std::string& key) const {
    std::size_t steps = 0;
    for (const ByPattern& entry : by_pattern_) {
      steps += entry.pattern.Steps(key);
    }
    return steps;
  }

  // All schemas that the member must meet.
  [[nodiscard]] std::vector<NodeId> NodesFor(const std::string& key) const {
    std::vector<NodeId> nodes;
    if (const auto found = by_name_.find(key); found != by_name_.end()) {
      nodes.push_back(found->second);
    }
    for (const ByPattern& entry : by_pattern_) {
      if (entry.pattern.Search(key)) {
        nodes.push_back(entry.node);
      }
    }
    if (nodes.empty() && additional_) {
      nodes.push_back(*additional_);
    }
    return nodes;
  }

  std::map<std::string, NodeId, std::less<>> by_name_;
  std::vector<ByPattern> by_pattern_;
  std::optional<NodeId> additional_;
};

class PropertyNames : public Keyword {
 public:
  explicit PropertyNames(NodeId node) : node_(node) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    if (!place.value.IsObject()) {
      return Truth::kTrue;
    }
    Truth result = Truth::kTrue;
    for (const JsonMember& member : place.value.object()) {
      const Json name(member.key);
      const Truth fits = run.Try(node_, Place{name, &place, member.key, 0}, nullptr);
      if (run.spent()) {
        return Truth::kUnknown;
      }
      if (fits == Truth::kFalse) {
        (void)run.Refuse(Place{member.value, &place, member.key, 0},
                         "has a name that propertyNames does not allow");
      }
      result = And(result, fits);
    }
    return result;
  }

 private:
  NodeId node_;
};

void AddProperties(Builder& builder) {
  std::vector<Properties::ByPattern> by_pattern;
  for (const auto& [text, node] : builder.SubMap("patternProperties")) {
    if (auto pattern = builder.CompilePattern("patternProperties", text)) {
      by_pattern.push_back({std::move(*pattern), node});
    }
  }
  auto by_name = builder.SubMap("properties");
  const auto additional = builder.Sub("additionalProperties");
  if (!by_name.empty() || !by_pattern.empty() || additional) {
    builder.Add<Properties>(std::move(by_name), std::move(by_pattern), additional);
  }
}

}  // namespace

void AddObjects(Builder& builder) {
  if (const auto limit = builder.Count("maxProperties")) {
    builder.Add<MemberCount>(*limit, true);
  }
  if (const auto limit = builder.Count("minProperties")) {
    builder.Add<MemberCount>(*limit, false);
  }
  AddProperties(builder);
  if (const auto names = builder.Sub("propertyNames")) {
    builder.Add<PropertyNames>(*names);
  }
}

}  // namespace writ::router::schema
