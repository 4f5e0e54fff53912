// maxLength, minLength, pattern
#include <cstddef>
#include <string>
#include <utility>

#include "router/base/text.h"
#include "router/tool/schema/builder.h"
#include "router/tool/schema/evaluation.h"

namespace writ::router::schema {
namespace {

class Length : public Keyword {
 public:
  Length(std::size_t limit, bool upper) : limit_(limit), upper_(upper) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    if (!place.value.IsString()) {
      return Truth::kTrue;
    }
    if (!run.Spend(place.value.string().size() / 256)) {
      return Truth::kUnknown;
    }
    const std::size_t length = CountCharacters(place.value.string());
    if (upper_ ? length <= limit_ : length >= limit_) {
      return Truth::kTrue;
    }
    return run.Refuse(place,
                      upper_ ? "must have at most this many characters:"
                             : "must have at least this many characters:",
                      std::to_string(limit_));
  }

 private:
  std::size_t limit_;
  bool upper_;
};

class PatternRule : public Keyword {
 public:
  PatternRule(Pattern pattern, std::string text)
      : pattern_(std::move(pattern)), text_(std::move(text)) {}

  Truth Judge(Evaluation& run, const Place& place, Evaluated* /*seen*/) const override {
    if (!place.value.IsString()) {
      return Truth::kTrue;
    }
    if (!run.Spend(pattern_.Steps(place.value.string()))) {
      return Truth::kUnknown;
    }
    return pattern_.Search(place.value.string())
               ? Truth::kTrue
               : run.Refuse(place, "must match the pattern", text_);
  }

 private:
  Pattern pattern_;
  std::string text_;
};

}  // namespace

void AddStrings(Builder& builder) {
  if (const auto limit = builder.Count("maxLength")) {
    builder.Add<Length>(*limit, true);
  }
  if (const auto limit = builder.Count("minLength")) {
    builder.Add<Length>(*limit, false);
  }
  if (const auto text = builder.Text("pattern")) {
    if (auto pattern = builder.CompilePattern("pattern", *text)) {
      builder.Add<PatternRule>(std::move(*pattern), *text);
    }
  }
}

}  // namespace writ::router::schema
