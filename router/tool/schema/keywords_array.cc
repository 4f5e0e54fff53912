// maxItems, minItems, uniqueItems, prefixItems, items, additionalItems, contains, minContains,
// maxContains
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/equality.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

class ItemCount : public Keyword {
 public:
  ItemCount(std::size_t limit, bool upper) : limit_(limit), upper_(upper) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    if (!place.value.IsArray()) {
      return Truth::kTrue;
    }
    const std::size_t count = place.value.array().size();
    if (upper_ ? count <= limit_ : count >= limit_) {
      return Truth::kTrue;
    }
    return run.Refuse(
        place,
        upper_ ? "must have at most this many items:" : "must have at least this many items:",
        std::to_string(limit_));
  }

 private:
  std::size_t limit_;
  bool upper_;
};

class UniqueItems : public Keyword {
 public:
  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    if (!place.value.IsArray()) {
      return Truth::kTrue;
    }
    std::unordered_set<std::string> keys;
    for (const Json& element : place.value.array()) {
      std::string key = EqualityKey(element);
      if (!run.Spend(key.size() / 16)) {
        return Truth::kUnknown;
      }
      if (!keys.insert(std::move(key)).second) {
        return run.Refuse(place, "must not have two equal items");
      }
    }
    return Truth::kTrue;
  }
};

class Items : public Keyword {
 public:
  Items(std::vector<NodeId> prefix, std::optional<NodeId> rest)
      : prefix_(std::move(prefix)), rest_(rest) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    if (!place.value.IsArray()) {
      return Truth::kTrue;
    }
    Truth result = Truth::kTrue;
    const Json::Array& elements = place.value.array();
    for (std::size_t i = 0; i < elements.size() && !run.spent(); ++i) {
      const std::optional<NodeId> node = NodeFor(i);
      if (!node) {
        break;
      }
      result = And(result, run.Apply(*node, Place{elements[i], &place, {}, i}, nullptr));
      if (seen != nullptr) {
        seen->Mark(i);
      }
    }
    return result;
  }

  void Visit(const Json& value, BranchVisitor& visitor) const override {
    for (std::size_t i = 0; value.IsArray() && i < value.array().size(); ++i) {
      if (const auto node = NodeFor(i)) {
        visitor.Element(*node, i);
      }
    }
  }

 private:
  [[nodiscard]] std::optional<NodeId> NodeFor(std::size_t index) const {
    return index < prefix_.size() ? prefix_[index] : rest_;
  }

  std::vector<NodeId> prefix_;
  std::optional<NodeId> rest_;
};

class Contains : public Keyword {
 public:
  Contains(NodeId node, std::size_t min, std::size_t max) : node_(node), min_(min), max_(max) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const override {
    if (!place.value.IsArray()) {
      return Truth::kTrue;
    }
    std::size_t certain = 0;
    std::size_t possible = 0;
    const Json::Array& elements = place.value.array();
    for (std::size_t i = 0; i < elements.size() && !run.spent(); ++i) {
      const Truth match = run.Try(node_, Place{elements[i], &place, {}, i}, nullptr);
      certain += match == Truth::kTrue ? 1U : 0U;
      possible += match == Truth::kFalse ? 0 : 1;
      if (seen != nullptr && match == Truth::kTrue) {
        seen->Mark(i);
      }
    }
    if (seen != nullptr && certain != possible) {
      seen->uncertain = true;
    }
    if (certain > max_) {
      return run.Refuse(place, "has too many items that match contains");
    }
    if (possible < min_) {
      return run.Refuse(place, "has too few items that match contains");
    }
    return certain >= min_ && possible <= max_ ? Truth::kTrue : Truth::kUnknown;
  }

  void Visit(const Json& value, BranchVisitor& visitor) const override {
    for (std::size_t i = 0; value.IsArray() && i < value.array().size(); ++i) {
      visitor.Element(node_, i);
    }
  }

 private:
  NodeId node_;
  std::size_t min_;
  std::size_t max_;
};

void AddItems(Builder& builder) {
  if (builder.draft() == Draft::k2020_12) {
    const auto rest = builder.Sub("items");
    auto prefix = builder.SubList("prefixItems");
    if (rest || !prefix.empty()) {
      builder.Add<Items>(std::move(prefix), rest);
    }
    return;
  }
  const Json* items = builder.Find("items");
  if (items == nullptr) {
    return;  // without it `additionalItems` means nothing
  }
  if (items->IsArray()) {
    builder.Add<Items>(builder.SubList("items"), builder.Sub("additionalItems"));
  } else {
    builder.Add<Items>(std::vector<NodeId>{}, builder.Sub("items"));
  }
}

void AddContains(Builder& builder) {
  std::optional<std::size_t> min;
  std::optional<std::size_t> max;
  if (builder.draft() == Draft::k2020_12) {
    min = builder.Count("minContains");
    max = builder.Count("maxContains");
  }
  if (const auto node = builder.Sub("contains")) {
    builder.Add<Contains>(*node, min.value_or(1),
                          max.value_or(std::numeric_limits<std::size_t>::max()));
  }
}

}  // namespace

void AddArrays(Builder& builder) {
  if (const auto limit = builder.Count("maxItems")) {
    builder.Add<ItemCount>(*limit, true);
  }
  if (const auto limit = builder.Count("minItems")) {
    builder.Add<ItemCount>(*limit, false);
  }
  if (const Json* unique = builder.Find("uniqueItems"); unique != nullptr) {
    if (!unique->IsBool()) {
      builder.Fault("uniqueItems", "must be true or false");
    } else if (unique->boolean()) {
      builder.Add<UniqueItems>();
    }
  }
  AddItems(builder);
  AddContains(builder);
}

}  // namespace writ::router::schema
