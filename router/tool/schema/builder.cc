#include "router/tool/schema/builder.h"

namespace writ::router::schema {

std::optional<Decimal> Builder::Number(std::string_view keyword) {
  const Json* value = Find(keyword);
  if (value == nullptr) {
    return std::nullopt;
  }
  auto number = value->IsNumber() ? Decimal::Parse(value->number()) : std::nullopt;
  if (!number) {
    Fault(keyword, "must be a number");
  }
  return number;
}

std::optional<std::size_t> Builder::Count(std::string_view keyword) {
  const std::optional<Decimal> number = Number(keyword);
  if (!number) {
    return std::nullopt;
  }
  if (!number->IsInteger() || number->IsNegative()) {
    Fault(keyword, "must be an integer, 0 or more");
  }
  return number->ToCount();
}

std::optional<std::string> Builder::Text(std::string_view keyword) {
  const Json* value = Find(keyword);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->IsString()) {
    Fault(keyword, "must be a string");
    return std::nullopt;
  }
  return value->string();
}

std::optional<Pattern> Builder::CompilePattern(std::string_view keyword, std::string_view text) {
  constexpr std::size_t kMaxPatterns = 256;  // each may take some memory, see pattern.cc
  if (const auto found = patterns_.find(text); found != patterns_.end()) {
    return found->second;
  }
  if (patterns_.size() >= kMaxPatterns) {
    Fault(keyword, "is one pattern too many in this document");
    return std::nullopt;
  }
  std::optional<Pattern> pattern = Pattern::Compile(text);
  if (pattern) {
    patterns_.emplace(text, *pattern);
  } else {
    Fault(keyword, "has a pattern that cannot be evaluated");
  }
  return pattern;
}

std::vector<std::string> Builder::Names(std::string_view keyword, const Json& names) {
  std::vector<std::string> result;
  bool good = names.IsArray();
  for (std::size_t i = 0; good && i < names.array().size(); ++i) {
    good = names.array()[i].IsString();
    if (good) {
      result.push_back(names.array()[i].string());
    }
  }
  if (!good) {
    Fault(keyword, "must list names of properties");
  }
  return result;
}

// Document has checked the shapes of all applicators and given their schemas nodes.
std::optional<NodeId> Builder::Sub(std::string_view keyword) {
  const Json* value = Find(keyword);
  return value == nullptr ? std::nullopt : document_.NodeOf(value);
}

std::vector<NodeId> Builder::SubList(std::string_view keyword) {
  std::vector<NodeId> nodes;
  const Json* value = Find(keyword);
  if (value != nullptr && value->IsArray()) {
    for (const Json& element : value->array()) {
      nodes.push_back(document_.NodeOf(&element).value());
    }
  }
  return nodes;
}

std::map<std::string, NodeId, std::less<>> Builder::SubMap(std::string_view keyword) {
  std::map<std::string, NodeId, std::less<>> nodes;
  const Json* value = Find(keyword);
  if (value != nullptr && value->IsObject()) {
    for (const JsonMember& member : value->object()) {
      if (const auto node = document_.NodeOf(&member.value)) {  // none: a list of `dependencies`
        nodes.emplace(member.key, *node);
      }
    }
  }
  return nodes;
}

}  // namespace writ::router::schema
