#include "connectors/tool/openapi/schema_writer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace writ::connectors {
namespace {

using router::Json;

template <std::size_t kCount>
bool IsOneOf(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr auto kSchemas = std::to_array<std::string_view>(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
     "unevaluatedItems", "unevaluatedProperties"});
constexpr auto kLists = std::to_array<std::string_view>({"allOf", "anyOf", "oneOf", "prefixItems"});
constexpr auto kMaps = std::to_array<std::string_view>(
    {"patternProperties", "$defs", "definitions", "dependentSchemas"});
// They say nothing about what is valid, and cost the model's attention.
constexpr auto kLeftOut = std::to_array<std::string_view>(
    {"example", "examples", "xml", "externalDocs", "discriminator", "readOnly", "nullable"});
// They change what the references around them mean.
constexpr auto kNotKnown = std::to_array<std::string_view>(
    {"$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef"});

bool IsTrue(const Json* value) { return value != nullptr && *value == Json(true); }

// 3.0 says by a flag what 2020-12 says by the number.
void WriteBound(const Json& schema, const char* bound, const char* exclusive, Json& written) {
  const Json* limit = schema.Find(bound);
  if (limit == nullptr) return;
  written.Set(IsTrue(schema.Find(exclusive)) ? exclusive : bound, *limit);
}

Json WithNull(const Json& type) {
  Json types = Json::MakeArray();
  types.Push(type);
  types.Push("null");
  return types;
}

}  // namespace

Json SchemaWriter::Write(const Place& schema) {
  if (schema.value->IsBool()) return *schema.value;
  if (!schema.value->IsObject()) {
    Fault(schema, "is no schema");
    return Json::MakeObject();
  }
  Json written = Json::MakeObject();
  // In 3.0 a reference makes all that stands beside it void.
  if (version_ == OpenApiVersion::k30 && schema.value->Find("$ref") != nullptr) {
    written.Set("$ref", WriteReference(schema.At("$ref")));
    return written;
  }
  for (const auto& member : schema.value->object()) WriteMember(schema, member.key, written);
  if (version_ == OpenApiVersion::k30) {
    WriteBound(*schema.value, "minimum", "exclusiveMinimum", written);
    WriteBound(*schema.value, "maximum", "exclusiveMaximum", written);
    const Json* type = schema.value->Find("type");
    if (type != nullptr && IsTrue(schema.value->Find("nullable"))) {
      written.Set("type", WithNull(*type));
    }
  }
  return written;
}

void SchemaWriter::WriteMember(const Place& schema, const std::string& key, Json& written) {
  const Place member = schema.At(key);
  const bool is_bound = key == "minimum" || key == "maximum" || key == "exclusiveMinimum" ||
                        key == "exclusiveMaximum";
  if (IsOneOf(kLeftOut, key) || key.starts_with("x-")) return;
  if (is_bound && version_ == OpenApiVersion::k30) return;
  if (IsOneOf(kNotKnown, key)) {
    Fault(member, "schemas with names of their own can't be read");
  } else if (key == "$ref") {
    written.Set(key, WriteReference(member));
  } else if (key == "required") {
    written.Set(key, WriteRequired(schema));
  } else if (key == "properties") {
    written.Set(key, WriteProperties(member));
  } else if (IsOneOf(kSchemas, key)) {
    written.Set(key, Write(member));
  } else if (IsOneOf(kLists, key)) {
    written.Set(key, WriteList(member));
  } else if (IsOneOf(kMaps, key)) {
    written.Set(key, WriteMap(member));
  } else {
    written.Set(key, *member.value);
  }
}

Json SchemaWriter::WriteReference(const Place& ref) {
  std::optional<Place> target;
  if (ref.value->IsString()) target = Resolve(document_, ref.value->string());
  if (!target) {
    Fault(ref, "leads to nothing in this document; what lies outside is not fetched");
    return "#";
  }
  const bool is_new = !names_.contains(target->pointer);
  const std::string name = NameFor(target->pointer);
  if (is_new) waiting_.push_back(*std::move(target));
  return "#/$defs/" + name;
}

Json SchemaWriter::WriteList(const Place& list) {
  if (!list.value->IsArray()) return *list.value;  // whoever reads the schema says what is wrong
  Json written = Json::MakeArray();
  for (std::size_t i = 0; i < list.value->array().size(); ++i) written.Push(Write(list.At(i)));
  return written;
}

Json SchemaWriter::WriteMap(const Place& map) {
  if (!map.value->IsObject()) return *map.value;
  Json written = Json::MakeObject();
  for (const auto& member : map.value->object()) {
    written.Set(member.key, Write(map.At(member.key)));
  }
  return written;
}

Json SchemaWriter::WriteProperties(const Place& properties) {
  if (!properties.value->IsObject()) return *properties.value;
  Json written = Json::MakeObject();
  for (const auto& member : properties.value->object()) {
    const Place property = properties.At(member.key);
    if (!IsReadOnly(property)) written.Set(member.key, Write(property));
  }
  return written;
}

// A response has what is `readOnly`; a request need not.
Json SchemaWriter::WriteRequired(const Place& schema) {
  const Json& names = *schema.value->Find("required");
  if (!names.IsArray()) return names;
  Json written = Json::MakeArray();
  for (const Json& name : names.array()) {
    const Place property =
        name.IsString() ? schema.At("properties").At(name.string()) : Place{nullptr, ""};
    if (property.value == nullptr || !IsReadOnly(property)) written.Push(name);
  }
  return written;
}

bool SchemaWriter::IsReadOnly(const Place& schema) const {
  if (IsTrue(schema.value->Find("readOnly"))) return true;
  const std::optional<Place> target = Follow(document_, schema);
  return target && IsTrue(target->value->Find("readOnly"));
}

std::string SchemaWriter::NameFor(const std::string& pointer) {
  const auto known = names_.find(pointer);
  if (known != names_.end()) return known->second;
  std::string name = pointer.substr(pointer.rfind('/') + 1);
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  if (name.empty()) name = "document";
  const std::string first = name;
  for (int number = 2; places_.contains(name); ++number) {
    name = first + '_' + std::to_string(number);
  }
  names_.emplace(pointer, name);
  places_.emplace(name, pointer);
  return name;
}

Json SchemaWriter::TakeDefinitions() {
  Json definitions = Json::MakeObject();
  while (!waiting_.empty()) {
    const Place place = std::move(waiting_.back());
    waiting_.pop_back();
    definitions.Set(NameFor(place.pointer), Write(place));
  }
  return definitions;
}

}  // namespace writ::connectors
