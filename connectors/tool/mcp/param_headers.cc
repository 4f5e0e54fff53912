#include "connectors/tool/mcp/param_headers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "connectors/http/ascii.h"
#include "router/base/base64.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::string_view kAnnotation = "x-mcp-header";

bool IsTokenCharacter(char c) {
  const bool alphanumeric =
      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alphanumeric || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsTokenCharacter);
}

bool IsPlain(std::string_view value) {
  const auto visible = [](char c) { return c >= 0x20 && c <= 0x7e; };
  const bool padded = !value.empty() && (value.front() == ' ' || value.back() == ' ');
  const bool looks_encoded = value.starts_with("=?base64?") && value.ends_with("?=");
  return !padded && !looks_encoded && std::ranges::all_of(value, visible);
}

enum class Place {
  kRoot,       // the schema itself
  kArgument,   // reached from there through `properties` alone: it may be annotated
  kElsewhere,  // it may not
};

// Looks through a tool's schema for annotations.
class Annotations {
 public:
  std::optional<std::string> FaultIn(const Json& schema) {
    Look(schema, Place::kRoot);
    return std::move(fault_);
  }

 private:
  void Look(const Json& schema, Place place) {
    if (fault_) return;
    if (schema.IsArray()) {
      for (const Json& item : schema.array()) Look(item, Place::kElsewhere);
    }
    if (!schema.IsObject()) return;
    if (const Json* annotation = schema.Find(kAnnotation)) Judge(schema, *annotation, place);
    for (const auto& [key, value] : schema.object()) {
      if (key == "const" || key == "enum" || key == "default" || key == "examples") continue;
      if (key == "properties" && value.IsObject()) {
        LookAtProperties(value, place);
      } else {
        Look(value, Place::kElsewhere);
      }
    }
  }

  void LookAtProperties(const Json& properties, Place place) {
    const Place inside = place == Place::kElsewhere ? place : Place::kArgument;
    for (const auto& [name, property] : properties.object()) Look(property, inside);
  }

  void Judge(const Json& schema, const Json& annotation, Place place) {
    const std::string type = schema.TextAt("type");
    if (place != Place::kArgument) {
      fault_ = "x-mcp-header where no argument stands";
    } else if (!annotation.IsString() || !IsToken(annotation.string())) {
      fault_ = "x-mcp-header is no header's name";
    } else if (type != "string" && type != "integer" && type != "boolean") {
      fault_ = "x-mcp-header on what is no string, integer or boolean";
    } else if (!names_.insert(InLowerCase(annotation.string())).second) {
      fault_ = "x-mcp-header twice with one name";
    }
  }

  std::optional<std::string> fault_;
  std::set<std::string> names_;
};

std::optional<std::string> TextOf(const Json& value) {
  if (value.IsString()) return value.string();
  if (value.IsBool()) return value.boolean() ? "true" : "false";
  if (value.IsNumber()) return value.number();
  return std::nullopt;
}

void Collect(const Json& schema, const Json& arguments, router::HttpHeaders& headers) {
  const Json* properties = schema.Find("properties");
  if (properties == nullptr || !properties->IsObject()) return;
  for (const auto& [name, property] : properties->object()) {
    const Json* value = arguments.Find(name);
    if (value == nullptr) continue;
    if (const auto header = property.StringAt(kAnnotation)) {
      if (const auto text = TextOf(*value)) {
        headers.emplace_back("mcp-param-" + InLowerCase(*header), HeaderText(*text));
      }
    }
    Collect(property, *value, headers);
  }
}

}  // namespace

std::optional<std::string> FaultInParamHeaders(const Json& schema) {
  return Annotations().FaultIn(schema);
}

router::HttpHeaders ParamHeaders(const Json& schema, const Json& arguments) {
  router::HttpHeaders headers;
  Collect(schema, arguments, headers);
  return headers;
}

std::string HeaderText(std::string_view value) {
  return IsPlain(value) ? std::string(value) : "=?base64?" + router::Base64Encode(value) + "?=";
}

}  // namespace writ::connectors
