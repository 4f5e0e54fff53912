#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bot/http/problem.h"
#include "bot/http/request.h"
#include "router/base/json.h"

namespace writ::bot {

struct TextLength {
  std::size_t min_characters = 1;
  std::size_t max_characters = 256;  // code points
};

struct NumberRange {
  double min;
  double max;
};

// Reads the fields of a JSON body and collects everything that is wrong with it, so that a caller
// learns all of it at once. Ask for each field that may be there, then Finish(); the values mean
// something only where that found nothing. `null` is not a missing field: it is mistyped.
//
//   FieldReader fields(body);
//   const std::string call_id = fields.String("tool_call_id");
//   const bool allowed = fields.Bool("allowed");
//   const auto summary = fields.OptionalString("summary", {.max_characters = 500});
//   if (auto problem = fields.Finish()) return ToResponse(*problem);
class FieldReader {
 public:
  // `body` must outlive the reader. `base` is the pointer of `body` itself: "" for the whole.
  explicit FieldReader(const router::Json& body, std::string base = "");

  std::string String(std::string_view name, TextLength length = {});
  std::optional<std::string> OptionalString(std::string_view name, TextLength length = {});
  bool Bool(std::string_view name);
  std::optional<bool> OptionalBool(std::string_view name);
  double Number(std::string_view name, NumberRange range);
  std::optional<double> OptionalNumber(std::string_view name, NumberRange range);
  router::Json Object(std::string_view name);
  std::optional<router::Json> OptionalObject(std::string_view name);
  // Any value, for rules of the caller's own.
  const router::Json* OptionalValue(std::string_view name);

  // Adds a fault that the caller found.
  void Fault(std::string_view name, std::string detail);
  // The same of something inside a field, by its whole pointer.
  void FaultAt(std::string pointer, std::string detail);

  // Whether a field of that name was sent at all, for refusals that go before its value.
  [[nodiscard]] bool Has(std::string_view name) const;

  // Adds the fields that nobody asked for. nullopt: nothing is wrong.
  [[nodiscard]] std::optional<Problem> Finish();

 private:
  const router::Json* Take(std::string_view name, bool required);
  template <class Value, class Read>
  std::optional<Value> ReadField(std::string_view name, bool required, Read read);
  std::optional<std::string> ReadText(std::string_view name, bool required, TextLength length);
  std::optional<bool> ReadBool(std::string_view name, bool required);
  std::optional<double> ReadNumber(std::string_view name, bool required, NumberRange range);
  std::optional<router::Json> ReadObject(std::string_view name, bool required);

  const router::Json& body_;
  std::string base_;
  std::vector<std::string> known_;
  std::vector<FieldError> errors_;
};

// The same for the query: pointers are `?name`. A name that is there twice is a fault; one that
// nobody asked for is ignored, since clients and proxies add their own.
class QueryReader {
 public:
  explicit QueryReader(const Request& request);  // must outlive the reader

  std::optional<std::string> OptionalText(std::string_view name, std::size_t max_characters = 256);
  std::optional<std::string> OptionalOneOf(std::string_view name,
                                           const std::vector<std::string_view>& allowed);
  std::int64_t Integer(std::string_view name, std::int64_t min, std::int64_t max,
                       std::int64_t otherwise);
  void Fault(std::string_view name, std::string detail);

  [[nodiscard]] std::optional<Problem> Finish() const;

 private:
  const Request& request_;
  std::vector<FieldError> errors_;
};

}  // namespace writ::bot
