// required, dependentRequired, dependentSchemas, dependencies
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

using Names = std::vector<std::string>;

// Refuses for each of `names` that the object has not.
Truth RequireAll(Evaluation& run, const Place& place, const Names& names, std::string_view rule) {
  if (!run.Spend(names.size())) {
    return Truth::kUnknown;
  }
  Truth result = Truth::kTrue;
  for (const std::string& name : names) {
    if (place.value.Find(name) == nullptr) {
      result = run.Refuse(place, rule, name);
    }
  }
  return result;
}

class Required : public Keyword {
 public:
  explicit Required(Names names) : names_(std::move(names)) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    return place.value.IsObject() ? RequireAll(run, place, names_, "must have the property")
                                  : Truth::kTrue;
  }

 private:
  Names names_;
};

// dependentRequired, and the lists of `dependencies`.
class DependentRequired : public Keyword {
 public:
  explicit DependentRequired(std::map<std::string, Names, std::less<>> by_name)
      : by_name_(std::move(by_name)) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    Truth result = Truth::kTrue;
    if (!place.value.IsObject() || !run.Spend(place.value.object().size() / 4)) {
      return run.spent() ? Truth::kUnknown : result;
    }
    for (const JsonMember& member : place.value.object()) {
      if (const auto found = by_name_.find(member.key); found != by_name_.end()) {
        result = And(result, RequireAll(run, place, found->second,
                                        "must, as it has another one, have the property"));
      }
    }
    return result;
  }

 private:
  std::map<std::string, Names, std::less<>> by_name_;
};

// dependentSchemas, and the schemas of `dependencies`.
class DependentSchemas : public Keyword {
 public:
  explicit DependentSchemas(std::map<std::string, NodeId, std::less<>> by_name)
      : by_name_(std::move(by_name)) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    Truth result = Truth::kTrue;
    if (!place.value.IsObject() || !run.Spend(place.value.object().size() / 4)) {
      return run.spent() ? Truth::kUnknown : result;
    }
    for (const JsonMember& member : place.value.object()) {
      if (const auto found = by_name_.find(member.key); found != by_name_.end()) {
        result = And(result, run.Apply(found->second, place, seen));
      }
    }
    return result;
  }

  void Visit(const Json& /*value*/, BranchVisitor& visitor) const override {
    for (const auto& [name, node] : by_name_) {
      visitor.Here(node);
    }
  }

 private:
  std::map<std::string, NodeId, std::less<>> by_name_;
};

void AddDependent(Builder& builder, std::string_view keyword) {
  const Json* value = builder.Find(keyword);
  if (value == nullptr) {
    return;
  }
  if (!value->IsObject()) {
    builder.Fault(keyword, "must be an object");
    return;
  }
  std::map<std::string, Names, std::less<>> lists;
  for (const JsonMember& member : value->object()) {
    if (keyword == "dependentRequired" || member.value.IsArray()) {
      lists.emplace(member.key, builder.Names(keyword, member.value));
    }
  }
  if (!lists.empty()) {
    builder.Add<DependentRequired>(std::move(lists));
  }
}

}  // namespace

void AddDependencies(Builder& builder) {
  if (const Json* names = builder.Find("required"); names != nullptr) {
    builder.Add<Required>(builder.Names("required", *names));
  }
  AddDependent(builder, "dependencies");
  if (builder.draft() == Draft::k2020_12) {
    AddDependent(builder, "dependentRequired");
    if (auto schemas = builder.SubMap("dependentSchemas"); !schemas.empty()) {
      builder.Add<DependentSchemas>(std::move(schemas));
    }
  }
  if (auto schemas = builder.SubMap("dependencies"); !schemas.empty()) {
    builder.Add<DependentSchemas>(std::move(schemas));
  }
}

}  // namespace writ::router::schema
