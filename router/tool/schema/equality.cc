#include "router/tool/schema/equality.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "router/tool/schema/decimal.h"

namespace writ::router::schema {
namespace {

// With the length in front, nothing in a text can look like the end of it.
void AppendText(std::string_view text, std::string& out) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

// As deep as the value, whose levels were limited when it was parsed.
void Append(const Json& value, std::string& out) {
  switch (value.kind()) {
    case Json::Kind::kNull:
      out += 'n';
      return;
    case Json::Kind::kBool:
      out += value.boolean() ? 't' : 'f';
      return;
    case Json::Kind::kNumber: {
      const std::optional<Decimal> number = Decimal::Parse(value.number());
      out += '#';
      AppendText(number ? number->Key() : value.number(), out);
      return;
    }
    case Json::Kind::kString:
      out += 's';
      AppendText(value.string(), out);
      return;
    case Json::Kind::kArray:
      out += '[';
      for (const Json& element : value.array()) {
        Append(element, out);
      }
      out += ']';
      return;
    case Json::Kind::kObject: {
      std::vector<const JsonMember*> members;
      for (const JsonMember& member : value.object()) {
        members.push_back(&member);
      }
      std::sort(members.begin(), members.end(),
                [](const JsonMember* a, const JsonMember* b) { return a->key < b->key; });
      out += '{';
      for (const JsonMember* member : members) {
        AppendText(member->key, out);
        Append(member->value, out);
      }
      out += '}';
      return;
    }
  }
}

}  // namespace

std::string EqualityKey(const Json& value) {
  std::string key;
  Append(value, key);
  return key;
}

}  // namespace writ::router::schema
