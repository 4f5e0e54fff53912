#include "router/base/json.h"

#include <algorithm>

#include "router/base/text.h"

namespace writ::router {
namespace {

enum class KeyOrder { kAsTheyCame, kSorted };

void WriteEscaped(unsigned char byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::string_view kControls = "\b\t\n\f\r";
  constexpr std::string_view kLetters = "btnfr";
  const char character = static_cast<char>(byte);
  out += '\\';
  if (character == '"' || character == '\\') {
    out += character;
  } else if (const auto at = kControls.find(character); at != std::string_view::npos) {
    out += kLetters[at];
  } else {
    out += "u00";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
}

// Escapes what JSON demands and nothing else, as Python does with ensure_ascii=False.
void WriteUtf8(std::string_view text, std::string& out) {
  out += '"';
  std::size_t plain = 0;  // where the run of characters that need no escape began
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out.append(text, plain, i - plain);
    WriteEscaped(byte, out);
    plain = i + 1;
  }
  out.append(text, plain);
  out += '"';
}

void WriteString(std::string_view text, std::string& out) {
  if (IsUtf8(text)) {
    WriteUtf8(text, out);
  } else {
    WriteUtf8(ToUtf8(text), out);
  }
}

void Write(const Json& value, KeyOrder order, std::string& out);

void WriteMember(const JsonMember& member, KeyOrder order, std::string& out) {
  if (out.back() != '{') out += ',';
  WriteString(member.key, out);
  out += ':';
  Write(member.value, order, out);
}

void WriteObject(const Json::Object& object, KeyOrder order, std::string& out) {
  out += '{';
  switch (order) {
    case KeyOrder::kAsTheyCame:
      for (const JsonMember& member : object) WriteMember(member, order, out);
      break;
    case KeyOrder::kSorted: {
      std::vector<const JsonMember*> sorted;
      sorted.reserve(object.size());
      for (const JsonMember& member : object) sorted.push_back(&member);
      // The order of UTF-8's bytes is that of the code points.
      std::sort(sorted.begin(), sorted.end(),
                [](const auto* left, const auto* right) { return left->key < right->key; });
      for (const JsonMember* member : sorted) WriteMember(*member, order, out);
      break;
    }
  }
  out += '}';
}

void WriteArray(const Json::Array& array, KeyOrder order, std::string& out) {
  out += '[';
  for (const Json& element : array) {
    if (&element != &array.front()) out += ',';
    Write(element, order, out);
  }
  out += ']';
}

void Write(const Json& value, KeyOrder order, std::string& out) {
  switch (value.kind()) {
    case Json::Kind::kNull:
      out += "null";
      break;
    case Json::Kind::kBool:
      out += value.boolean() ? "true" : "false";
      break;
    case Json::Kind::kNumber:
      out += value.number();
      break;
    case Json::Kind::kString:
      WriteString(value.string(), out);
      break;
    case Json::Kind::kArray:
      WriteArray(value.array(), order, out);
      break;
    case Json::Kind::kObject:
      WriteObject(value.object(), order, out);
      break;
  }
}

bool SameMembers(const Json::Object& left, const Json::Object& right) {
  if (left.size() != right.size()) return false;
  return std::all_of(left.begin(), left.end(), [&right](const JsonMember& member) {
    const Json* other = right.Find(member.key);
    return other != nullptr && *other == member.value;
  });
}

}  // namespace

Json::Json(std::int64_t value) : value_(NumberText{std::to_string(value)}) {}

Json Json::Number(std::string text) {
  Json number;
  number.value_ = NumberText{std::move(text)};
  return number;
}

Json Json::MakeObject() { return Json(Object{}); }

Json Json::MakeObject(std::initializer_list<JsonMember> members) {
  Object object;
  for (const JsonMember& member : members) object.Set(member.key, member.value);
  return Json(std::move(object));
}

const Json* Json::Find(std::string_view key) const {
  return IsObject() ? object().Find(key) : nullptr;
}

Json* Json::Find(std::string_view key) { return IsObject() ? object().Find(key) : nullptr; }

void Json::Set(std::string_view key, Json value) { object().Set(key, std::move(value)); }

void Json::Push(Json value) { array().push_back(std::move(value)); }

std::optional<std::string> Json::StringAt(std::string_view key) const {
  const Json* value = Find(key);
  if (value == nullptr || !value->IsString()) return std::nullopt;
  return value->string();
}

std::optional<bool> Json::BoolAt(std::string_view key) const {
  const Json* value = Find(key);
  if (value == nullptr || !value->IsBool()) return std::nullopt;
  return value->boolean();
}

std::optional<std::int64_t> Json::IntAt(std::string_view key) const {
  const Json* value = Find(key);
  return value == nullptr ? std::nullopt : value->ToInt();
}

std::string Json::TextAt(std::string_view key) const { return StringAt(key).value_or(""); }

std::string Json::Dump() const {
  std::string out;
  Write(*this, KeyOrder::kAsTheyCame, out);
  return out;
}

std::string Json::Canonical() const {
  std::string out;
  Write(*this, KeyOrder::kSorted, out);
  return out;
}

bool operator==(const Json& left, const Json& right) {
  if (left.kind() != right.kind()) return false;
  switch (left.kind()) {
    case Json::Kind::kNull:
      return true;
    case Json::Kind::kBool:
      return left.boolean() == right.boolean();
    case Json::Kind::kNumber:
      return left.number() == right.number();
    case Json::Kind::kString:
      return left.string() == right.string();
    case Json::Kind::kArray:
      return left.array() == right.array();
    case Json::Kind::kObject:
      return SameMembers(left.object(), right.object());
  }
  return false;
}

}  // namespace writ::router
