// multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

struct Bound {
  std::string_view keyword;
  std::string_view rule;
  bool upper;
  bool exclusive;
};

constexpr auto kBounds = std::to_array<Bound>({
    {"maximum", "must be at most", true, false},
    {"exclusiveMaximum", "must be less than", true, true},
    {"minimum", "must be at least", false, false},
    {"exclusiveMinimum", "must be more than", false, true},
});

// A keyword that looks at numbers only.
class OfNumber : public Keyword {
 public:
  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const final {
    if (!place.value.IsNumber()) {
      return Truth::kTrue;
    }
    const std::optional<Decimal> number = Decimal::Parse(place.value.number());
    if (!number || !run.Spend(place.value.number().size() / 64)) {
      return run.CannotJudge("a number is too large");
    }
    return JudgeNumber(run, place, *number);
  }

 private:
  [[nodiscard]] virtual Truth JudgeNumber(Evaluation& run, const Place& place,
                                          const Decimal& number) const = 0;
};

class Limit : public OfNumber {
 public:
  Limit(const Bound& bound, Decimal limit, std::string text)
      : bound_(bound), limit_(std::move(limit)), text_(std::move(text)) {}

 private:
  Truth JudgeNumber(Evaluation& run, const Place& place, const Decimal& number) const override {
    const std::strong_ordering order = number <=> limit_;
    const bool within = bound_.upper ? order < 0 : order > 0;
    if (within || (order == 0 && !bound_.exclusive)) {
      return Truth::kTrue;
    }
    return run.Refuse(place, bound_.rule, text_);
  }

  const Bound& bound_;  // of kBounds
  Decimal limit_;
  std::string text_;
};

class MultipleOf : public OfNumber {
 public:
  MultipleOf(Decimal divisor, std::string text)
      : divisor_(std::move(divisor)), text_(std::move(text)) {}

 private:
  Truth JudgeNumber(Evaluation& run, const Place& place, const Decimal& number) const override {
    const std::optional<bool> multiple = number.IsMultipleOf(divisor_);
    if (!multiple) {
      return run.CannotJudge("multipleOf has too many digits");
    }
    return *multiple ? Truth::kTrue : run.Refuse(place, "must be a multiple of", text_);
  }

  Decimal divisor_;
  std::string text_;
};

}  // namespace

void AddNumbers(Builder& builder) {
  for (const Bound& bound : kBounds) {
    if (const auto limit = builder.Number(bound.keyword)) {
      builder.Add<Limit>(bound, *limit, builder.Find(bound.keyword)->number());
    }
  }
  if (const auto divisor = builder.Number("multipleOf")) {
    if (!divisor->IsPositive()) {
      builder.Fault("multipleOf", "must be more than 0");
    } else if (!divisor->IsMultipleOf(*divisor)) {
      builder.Fault("multipleOf", "has too many digits");
    }
    builder.Add<MultipleOf>(*divisor, builder.Find("multipleOf")->number());
  }
}

}  // namespace writ::router::schema
