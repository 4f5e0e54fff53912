#include "connectors/model/tool_schema.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace writ::connectors {
namespace {

using router::Json;

bool IsPlainKey(std::string_view key) {
  return !key.empty() && key.size() <= 64 && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

bool SomeKeyIsOdd(const Json& properties) {
  if (!properties.IsObject()) return false;
  return std::any_of(properties.object().begin(), properties.object().end(),
                     [](const auto& member) { return !IsPlainKey(member.key); });
}

// What is wrong anywhere inside. A property that is itself called `$ref` or `properties` is a
// schema, so it doesn't look like the keyword.
std::optional<std::string> FaultInside(const Json& schema, const SchemaRules& rules) {
  if (schema.IsArray()) {
    for (const Json& item : schema.array()) {
      if (auto fault = FaultInside(item, rules)) return fault;
    }
  }
  if (!schema.IsObject()) return std::nullopt;
  for (const auto& [key, value] : schema.object()) {
    if (key == "$ref" && value.IsString() && !value.string().starts_with('#')) {
      return "a $ref leads out of the schema";
    }
    if (rules.plain_keys && key == "properties" && SomeKeyIsOdd(value)) {
      return "a property's key has characters that the provider refuses";
    }
    if (auto fault = FaultInside(value, rules)) return fault;
  }
  return std::nullopt;
}

bool SaysObject(const Json& type) {
  if (type.IsString()) return type.string() == "object";
  if (!type.IsArray()) return false;
  return std::any_of(type.array().begin(), type.array().end(),
                     [](const Json& one) { return one.IsString() && one.string() == "object"; });
}

}  // namespace

std::variant<Json, UnfitSchema> FitSchema(const Json& schema, const SchemaRules& rules) {
  if (!schema.IsObject()) return UnfitSchema{"the schema is no object"};
  for (const char* keyword : {"oneOf", "anyOf", "allOf", "enum", "not"}) {
    if (schema.Find(keyword) != nullptr) {
      return UnfitSchema{std::string(keyword) + " at the top of the schema"};
    }
  }
  const Json* type = schema.Find("type");
  if (type != nullptr && !SaysObject(*type)) return UnfitSchema{"the schema's type is no object"};
  if (auto fault = FaultInside(schema, rules)) return UnfitSchema{*std::move(fault)};
  Json fit = schema;
  fit.Set("type", "object");
  const Json* properties = schema.Find("properties");
  if (properties == nullptr || !properties->IsObject()) fit.Set("properties", Json::MakeObject());
  return fit;
}

FittedTools FitTools(const std::vector<router::OfferedTool>& tools, const SchemaRules& rules) {
  FittedTools fitted;
  for (const router::OfferedTool& tool : tools) {
    auto schema = FitSchema(tool.input_schema, rules);
    if (const auto* unfit = std::get_if<UnfitSchema>(&schema)) {
      fitted.left_out.push_back(tool.offered_name + ": " + unfit->why);
    } else {
      fitted.tools.push_back(
          {tool.offered_name, tool.description, std::get<Json>(std::move(schema))});
    }
  }
  return fitted;
}

}  // namespace writ::connectors
