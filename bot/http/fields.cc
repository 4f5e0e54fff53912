#include "bot/http/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "router/base/text.h"

namespace writ::bot {
namespace {

using router::Json;

// A key as a part of a JSON pointer (RFC 6901).
std::string PointerPart(std::string_view key) {
  std::string part = "/";
  for (const char c : key) {
    if (c == '~') {
      part += "~0";
    } else if (c == '/') {
      part += "~1";
    } else {
      part += c;
    }
  }
  return part;
}

std::string LengthFault(std::size_t min, std::size_t max) {
  if (min == 0) return "must have at most " + std::to_string(max) + " characters";
  return "must have " + std::to_string(min) + " to " + std::to_string(max) + " characters";
}

std::string NumberText(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end.ptr);
}

std::optional<Problem> ProblemOf(std::vector<FieldError> errors) {
  if (errors.empty()) return std::nullopt;
  return Problem{ProblemCode::kInvalidRequest, "See errors.", std::move(errors)};
}

}  // namespace

FieldReader::FieldReader(const Json& body, std::string base) : body_(body), base_(std::move(base)) {
  if (!body_.IsObject()) errors_.push_back({base_, "must be an object"});
}

const Json* FieldReader::Take(std::string_view name, bool required) {
  known_.emplace_back(name);
  const Json* value = body_.Find(name);
  if (value == nullptr && required && body_.IsObject()) Fault(name, "is missing");
  return value;
}

template <class Value, class Read>
std::optional<Value> FieldReader::ReadField(std::string_view name, bool required, Read read) {
  const Json* value = Take(name, required);
  if (value == nullptr) return std::nullopt;
  return read(*value);
}

void FieldReader::Fault(std::string_view name, std::string detail) {
  errors_.push_back({base_ + PointerPart(name), std::move(detail)});
}

void FieldReader::FaultAt(std::string pointer, std::string detail) {
  errors_.push_back({std::move(pointer), std::move(detail)});
}

bool FieldReader::Has(std::string_view name) const { return body_.Find(name) != nullptr; }

std::optional<std::string> FieldReader::ReadText(std::string_view name, bool required,
                                                 TextLength length) {
  return ReadField<std::string>(name, required, [&](const Json& v) -> std::optional<std::string> {
    if (!v.IsString()) {
      Fault(name, "must be a string");
      return std::nullopt;
    }
    const std::size_t count = router::CountCharacters(v.string());
    if (count < length.min_characters || count > length.max_characters) {
      Fault(name, LengthFault(length.min_characters, length.max_characters));
      return std::nullopt;
    }
    return v.string();
  });
}

std::string FieldReader::String(std::string_view name, TextLength length) {
  return ReadText(name, true, length).value_or("");
}

std::optional<std::string> FieldReader::OptionalString(std::string_view name, TextLength length) {
  return ReadText(name, false, length);
}

std::optional<bool> FieldReader::ReadBool(std::string_view name, bool required) {
  return ReadField<bool>(name, required, [&](const Json& v) -> std::optional<bool> {
    if (v.IsBool()) return v.boolean();
    Fault(name, "must be true or false");
    return std::nullopt;
  });
}

bool FieldReader::Bool(std::string_view name) { return ReadBool(name, true).value_or(false); }

std::optional<bool> FieldReader::OptionalBool(std::string_view name) {
  return ReadBool(name, false);
}

std::optional<double> FieldReader::ReadNumber(std::string_view name, bool required,
                                              NumberRange range) {
  return ReadField<double>(name, required, [&](const Json& v) -> std::optional<double> {
    const std::optional<double> number = v.IsNumber() ? v.ToDouble() : std::nullopt;
    if (!number || !std::isfinite(*number)) {
      Fault(name, "must be a number");
      return std::nullopt;
    }
    if (*number < range.min || *number > range.max) {
      Fault(name, "must be from " + NumberText(range.min) + " to " + NumberText(range.max));
      return std::nullopt;
    }
    return number;
  });
}

double FieldReader::Number(std::string_view name, NumberRange range) {
  return ReadNumber(name, true, range).value_or(range.min);
}

std::optional<double> FieldReader::OptionalNumber(std::string_view name, NumberRange range) {
  return ReadNumber(name, false, range);
}

std::optional<Json> FieldReader::ReadObject(std::string_view name, bool required) {
  return ReadField<Json>(name, required, [&](const Json& v) -> std::optional<Json> {
    if (v.IsObject()) return v;
    Fault(name, "must be an object");
    return std::nullopt;
  });
}

Json FieldReader::Object(std::string_view name) {
  return ReadObject(name, true).value_or(Json::MakeObject());
}

std::optional<Json> FieldReader::OptionalObject(std::string_view name) {
  return ReadObject(name, false);
}

const Json* FieldReader::OptionalValue(std::string_view name) { return Take(name, false); }

std::optional<Problem> FieldReader::Finish() {
  if (body_.IsObject()) {
    for (const router::JsonMember& member : body_.object()) {
      if (std::find(known_.begin(), known_.end(), member.key) == known_.end()) {
        Fault(member.key, "is not a field of this request");
      }
    }
  }
  return ProblemOf(std::move(errors_));
}

QueryReader::QueryReader(const Request& request) : request_(request) {}

std::optional<std::string> QueryReader::OptionalText(std::string_view name,
                                                     std::size_t max_characters) {
  const auto count = std::count_if(request_.query.begin(), request_.query.end(),
                                   [&](const auto& value) { return value.first == name; });
  if (count > 1) Fault(name, "must be there once");
  std::optional<std::string> value = request_.Query(name);
  if (value && router::CountCharacters(*value) > max_characters) {
    Fault(name, LengthFault(0, max_characters));
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> QueryReader::OptionalOneOf(
    std::string_view name, const std::vector<std::string_view>& allowed) {
  std::optional<std::string> value = OptionalText(name);
  if (!value || std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) return value;
  std::string detail = "must be one of";
  for (const std::string_view one : allowed) detail += " `" + std::string(one) + "`";
  Fault(name, std::move(detail));
  return std::nullopt;
}

std::int64_t QueryReader::Integer(std::string_view name, std::int64_t min, std::int64_t max,
                                  std::int64_t otherwise) {
  const std::optional<std::string> text = OptionalText(name);
  if (!text) return otherwise;
  std::int64_t value = 0;
  const char* end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end && value >= min && value <= max) return value;
  Fault(name, "must be an integer from " + std::to_string(min) + " to " + std::to_string(max));
  return otherwise;
}

void QueryReader::Fault(std::string_view name, std::string detail) {
  errors_.push_back({"?" + std::string(name), std::move(detail)});
}

std::optional<Problem> QueryReader::Finish() const { return ProblemOf(errors_); }

}  // namespace writ::bot
