#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "router/base/json_object.h"

namespace writ::router {

// A JSON value as it came: a number is its canonical text (an integer keeps every digit, a float
// is Python's shortest text), an object keeps the order of its keys and has none twice. Equality
// ignores the order of keys. What was parsed has at most JsonLimits::max_depth levels, so the
// recursion in here is bounded.
class Json {
 public:
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };
  using Array = std::vector<Json>;
  using Object = JsonObject;

  Json() = default;
  Json(std::nullptr_t) {}                                  // NOLINT(google-explicit-constructor)
  Json(bool value) : value_(value) {}                      // NOLINT(google-explicit-constructor)
  Json(const char* value) : value_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Json(std::string value) : value_(std::move(value)) {}    // NOLINT(google-explicit-constructor)
  Json(std::string_view value)
      : value_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Json(int value)
      : Json(static_cast<std::int64_t>(value)) {}  // NOLINT(google-explicit-constructor)
  Json(std::int64_t value);                        // NOLINT(google-explicit-constructor)
  // A value that is not finite is no JSON: std::invalid_argument.
  Json(double value);                               // NOLINT(google-explicit-constructor)
  Json(Array value) : value_(std::move(value)) {}   // NOLINT(google-explicit-constructor)
  Json(Object value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  // `text` is a number's canonical text already (CanonicalNumber()).
  [[nodiscard]] static Json Number(std::string text);
  [[nodiscard]] static Json MakeArray() { return Json(Array{}); }
  [[nodiscard]] static Json MakeObject();
  [[nodiscard]] static Json MakeObject(std::initializer_list<JsonMember> members);

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(value_.index()); }
  [[nodiscard]] bool IsNull() const { return kind() == Kind::kNull; }
  [[nodiscard]] bool IsBool() const { return kind() == Kind::kBool; }
  [[nodiscard]] bool IsNumber() const { return kind() == Kind::kNumber; }
  [[nodiscard]] bool IsString() const { return kind() == Kind::kString; }
  [[nodiscard]] bool IsArray() const { return kind() == Kind::kArray; }
  [[nodiscard]] bool IsObject() const { return kind() == Kind::kObject; }

  // Each asks for a value of its kind; anything else is a bug and throws std::bad_variant_access.
  [[nodiscard]] bool boolean() const { return std::get<bool>(value_); }
  [[nodiscard]] const std::string& number() const { return std::get<NumberText>(value_).text; }
  [[nodiscard]] const std::string& string() const { return std::get<std::string>(value_); }
  [[nodiscard]] const Array& array() const { return std::get<Array>(value_); }
  [[nodiscard]] Array& array() { return std::get<Array>(value_); }
  [[nodiscard]] const Object& object() const { return std::get<Object>(value_); }
  [[nodiscard]] Object& object() { return std::get<Object>(value_); }

  // The member's value, or nullptr where this is no object or has no such key.
  [[nodiscard]] const Json* Find(std::string_view key) const;
  [[nodiscard]] Json* Find(std::string_view key);
  // Replaces the member or appends it; this must be an object.
  void Set(std::string_view key, Json value);
  // Appends to an array.
  void Push(Json value);

  // Readers of what others sent: the value where the member is there and of that kind.
  [[nodiscard]] std::optional<std::string> StringAt(std::string_view key) const;
  [[nodiscard]] std::optional<bool> BoolAt(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> IntAt(std::string_view key) const;
  [[nodiscard]] std::string TextAt(std::string_view key) const;  // "" where there is none

  // An integer that fits (1.0 is not one: it has another text); nullopt otherwise.
  [[nodiscard]] std::optional<std::int64_t> ToInt() const;
  [[nodiscard]] std::optional<double> ToDouble() const;  // a number's nearest double
  [[nodiscard]] bool IsIntegerText() const;              // a number without `.`, `e` or `inf`

  // Compact JSON, keys in their order. Text that is not UTF-8 has its bad bytes replaced by U+FFFD.
  [[nodiscard]] std::string Dump() const;
  // The canonical form of contract section 3: what Python's
  // json.dumps(sort_keys=True, separators=(",", ":"), ensure_ascii=False) prints.
  [[nodiscard]] std::string Canonical() const;

  friend bool operator==(const Json& left, const Json& right);

 private:
  struct NumberText {
    std::string text;
  };
  // In the order of Kind.
  std::variant<std::nullptr_t, bool, NumberText, std::string, Array, Object> value_{nullptr};
};

struct JsonMember {
  std::string key;
  Json value;
};

struct JsonLimits {
  std::size_t max_depth = 256;  // `{}` has one level
};

struct JsonParsed {
  std::optional<Json> value;  // nullopt: `fault` says why, without repeating what was read
  std::string fault;
  // Where the fault is a number without a canonical text: the number's JSON pointer. Such a text
  // is JSON, of a value that nobody can take.
  std::optional<std::string> out_of_range = std::nullopt;
};

// Parses strict JSON in UTF-8. Refused beside bad syntax: broken UTF-8, a lone surrogate, a
// repeated key, a number that has no canonical text, more levels than the limit, text after the
// value, a byte-order mark.
[[nodiscard]] JsonParsed ParseJson(std::string_view text, JsonLimits limits = {});

// The canonical text of a JSON number: an integer's own digits (`-0` becomes `0`), a float's
// shortest text as Python prints it (`1e16` is `1e+16`). nullopt where it is no JSON number, a
// float that is not finite, or an integer of more digits than Python reads (4,300; sys.int_info).
[[nodiscard]] std::optional<std::string> CanonicalNumber(std::string_view text);

}  // namespace writ::router
