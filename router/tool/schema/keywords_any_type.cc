// type, enum, const
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/equality.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

// A set of bits: one a kind of JSON, and one for integers.
using Kinds = unsigned;
constexpr Kinds kInteger = 1U << 6U;

Kinds BitOf(Json::Kind kind) { return 1U << static_cast<unsigned>(kind); }

constexpr auto kTypes = std::to_array<std::pair<std::string_view, Json::Kind>>({
    {"null", Json::Kind::kNull},
    {"boolean", Json::Kind::kBool},
    {"number", Json::Kind::kNumber},
    {"string", Json::Kind::kString},
    {"array", Json::Kind::kArray},
    {"object", Json::Kind::kObject},
});

class Type : public Keyword {
 public:
  Type(Kinds kinds, std::string names) : kinds_(kinds), names_(std::move(names)) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    if ((kinds_ & BitOf(place.value.kind())) != 0) {
      return Truth::kTrue;
    }
    if ((kinds_ & kInteger) != 0 && place.value.IsNumber()) {
      const std::optional<Decimal> number = Decimal::Parse(place.value.number());
      if (!number) {
        return run.CannotJudge("a number is too large");
      }
      if (number->IsInteger()) {  // 1.0 is one
        return Truth::kTrue;
      }
    }
    return run.Refuse(place, "must be of type", names_);
  }

 private:
  Kinds kinds_;
  std::string names_;
};

class Enum : public Keyword {
 public:
  Enum(std::string_view rule, const Json::Array& values) : rule_(rule) {
    for (const Json& value : values) {
      kinds_ |= BitOf(value.kind());
      keys_.insert(EqualityKey(value));
    }
  }

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    if ((kinds_ & BitOf(place.value.kind())) == 0) {
      return run.Refuse(place, rule_);
    }
    const std::string key = EqualityKey(place.value);
    if (!run.Spend(key.size() / 16)) {
      return Truth::kUnknown;
    }
    return keys_.contains(key) ? Truth::kTrue : run.Refuse(place, rule_);
  }

 private:
  std::string_view rule_;
  Kinds kinds_ = 0;
  std::unordered_set<std::string> keys_;
};

void AddType(Builder& builder, const Json& type) {
  const Json::Array single{type};
  const Json::Array& names = type.IsArray() ? type.array() : single;
  Kinds kinds = 0;
  std::string shown;
  for (const Json& name : names) {
    Kinds found = name == Json("integer") ? kInteger : 0;
    for (const auto& [type_name, kind] : kTypes) {
      found |= name == Json(type_name) ? BitOf(kind) : 0;
    }
    if (found == 0) {
      builder.Fault("type", "must name a type of JSON");
      return;
    }
    kinds |= found;
    (shown += shown.empty() ? "" : " or ") += name.string();
  }
  if (names.empty()) {
    builder.Fault("type", "must name at least one type");
  }
  builder.Add<Type>(kinds, std::move(shown));
}

}  // namespace

void AddAnyType(Builder& builder) {
  if (const Json* type = builder.Find("type"); type != nullptr) {
    AddType(builder, *type);
  }
  if (const Json* values = builder.Find("enum"); values != nullptr) {
    if (values->IsArray()) {
      builder.Add<Enum>("must be one of the values of enum", values->array());
    } else {
      builder.Fault("enum", "must be an array");
    }
  }
  if (const Json* value = builder.Find("const"); value != nullptr) {
    builder.Add<Enum>("must be the value of const", Json::Array{*value});
  }
}

}  // namespace writ::router::schema
