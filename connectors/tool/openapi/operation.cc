#include "connectors/tool/openapi/operation.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "connectors/http/ascii.h"
#include "connectors/tool/offer_limits.h"
#include "router/base/text.h"
#include "router/tool/schema/schema.h"

namespace writ::connectors {
namespace {

using router::Json;
using Style = QueryParameter::Style;

constexpr std::size_t kMostDescription = 4000;  // characters

bool IsTrue(const Json* value) { return value != nullptr && *value == Json(true); }

bool IsJson(std::string_view media_type) {
  const std::string type = InLowerCase(WithoutBlanks(media_type.substr(0, media_type.find(';'))));
  return type == "application/json" || type.ends_with("+json") || type == "*/*" ||
         type == "application/*";
}

// The media type of a `content` that is JSON.
std::optional<std::string> JsonTypeOf(const Json& content) {
  if (!content.IsObject()) return std::nullopt;
  for (const auto& member : content.object()) {
    if (IsJson(member.key)) return member.key;
  }
  return std::nullopt;
}

std::string DescriptionOf(const Json& operation) {
  const std::string summary = operation.TextAt("summary");
  const std::string description = operation.TextAt("description");
  const bool both = !summary.empty() && !description.empty() && summary != description;
  const std::string text =
      both ? summary + "\n" + description : (description.empty() ? summary : description);
  return std::string(router::FirstCharacters(text, kMostDescription));
}

// Builds the tool of one operation.
class Translation {
 public:
  Translation(const Json& document, OpenApiVersion version, const FoundOperation& found,
              std::vector<OpenApiFault>& faults)
      : document_(document), found_(found), faults_(faults), writer_(document, version, faults) {}

  HttpTool Run();

 private:
  [[nodiscard]] std::vector<Place> Parameters();
  void AddParameters(const Place& list, std::vector<Place>& all);
  void TakePath(const Place& parameter);
  void TakeQuery(const Place& parameter);
  void TakeHeader(const Place& parameter);
  void TakeCookie(const Place& parameter);
  void TakeBody();
  [[nodiscard]] Style StyleOf(const Place& parameter);
  // The parameter as a property of the arguments; the name that it has there.
  std::string AddProperty(const Place& parameter, const std::string& name, const std::string& in);
  void Add(const std::string& property, Json schema, bool required);
  [[nodiscard]] std::string FreeName(const std::string& name, const std::string& in) const;
  void CheckSchema();
  void Fault(const Place& place, std::string text) {
    faults_.push_back({place.pointer, std::move(text)});
  }

  const Json& document_;
  const FoundOperation& found_;
  std::vector<OpenApiFault>& faults_;
  SchemaWriter writer_;
  HttpTool tool_;
  Json properties_ = Json::MakeObject();
  Json required_ = Json::MakeArray();
};

HttpTool Translation::Run() {
  const std::size_t faults = faults_.size();
  const Json& operation = *found_.operation.value;
  tool_.name = operation.TextAt("operationId");
  tool_.description = DescriptionOf(operation);
  tool_.method = found_.method;
  tool_.path = found_.path;
  tool_.rest_in_query = true;  // there is no rest: every argument is named
  const std::vector<Place> parameters = Parameters();
  for (const std::string_view in : {"path", "query", "header", "cookie"}) {
    for (const Place& parameter : parameters) {
      if (parameter.value->TextAt("in") != in) continue;
      if (in == "path") TakePath(parameter);
      if (in == "query") TakeQuery(parameter);
      if (in == "header") TakeHeader(parameter);
      if (in == "cookie") TakeCookie(parameter);
    }
  }
  TakeBody();
  Json definitions = writer_.TakeDefinitions();
  tool_.input_schema = Json::MakeObject({{"type", "object"},
                                         {"properties", std::move(properties_)},
                                         {"required", std::move(required_)},
                                         {"additionalProperties", false}});
  if (!definitions.object().empty()) tool_.input_schema.Set("$defs", std::move(definitions));
  if (faults_.size() == faults) CheckSchema();
  return std::move(tool_);
}

// The path's parameters, where the operation has none of the same name and place.
std::vector<Place> Translation::Parameters() {
  std::vector<Place> all;
  AddParameters(found_.operation.At("parameters"), all);
  AddParameters(found_.path_item.At("parameters"), all);
  return all;
}

void Translation::AddParameters(const Place& list, std::vector<Place>& all) {
  if (list.value == nullptr) return;
  if (!list.value->IsArray()) return Fault(list, "must be a list");
  for (std::size_t i = 0; i < list.value->array().size(); ++i) {
    const std::optional<Place> parameter = Follow(document_, list.At(i));
    if (!parameter || parameter->value->TextAt("name").empty()) {
      Fault(list.At(i), "is no parameter of this document");
      continue;
    }
    const bool known = std::any_of(all.begin(), all.end(), [&](const Place& other) {
      return other.value->TextAt("name") == parameter->value->TextAt("name") &&
             other.value->TextAt("in") == parameter->value->TextAt("in");
    });
    if (!known) all.push_back(*parameter);
  }
}

void Translation::TakePath(const Place& parameter) {
  const std::string name = parameter.value->TextAt("name");
  if (found_.path.find('{' + name + '}') == std::string::npos) return;  // of another path's
  if (parameter.value->StringAt("style").value_or("simple") != "simple") {
    Fault(parameter.At("style"), "a path's parameter can only be written plainly");
  }
  AddProperty(parameter, name, "path");
}

Style Translation::StyleOf(const Place& parameter) {
  if (parameter.value->Find("content") != nullptr) return Style::kJson;
  const std::string style = parameter.value->StringAt("style").value_or("form");
  const bool explode = parameter.value->BoolAt("explode").value_or(style == "form");
  if (style == "deepObject") return Style::kDeep;
  if (style == "form" || explode) return explode ? Style::kForm : Style::kComma;
  if (style == "spaceDelimited") return Style::kSpace;
  if (style == "pipeDelimited") return Style::kPipe;
  Fault(parameter.At("style"), "is no style of a query");
  return Style::kForm;
}

void Translation::TakeQuery(const Place& parameter) {
  const std::string name = parameter.value->TextAt("name");
  const Style style = StyleOf(parameter);
  tool_.query.push_back({name, AddProperty(parameter, name, "query"), style});
}

void Translation::TakeHeader(const Place& parameter) {
  const std::string name = parameter.value->TextAt("name");
  // The standard has these ignored where they stand as parameters.
  const std::string lower = InLowerCase(name);
  if (lower == "accept" || lower == "content-type" || lower == "authorization") return;
  // Writ sends its own.
  if (lower == "idempotency-key" || lower == "traceparent" || lower == "tracestate") return;
  tool_.headers.push_back({name, AddProperty(parameter, name, "header")});
}

void Translation::TakeCookie(const Place& parameter) {
  if (IsTrue(parameter.value->Find("required"))) Fault(parameter, "cookies are not sent");
}

void Translation::TakeBody() {
  if (found_.operation.value->Find("requestBody") == nullptr) return;
  const std::optional<Place> body = Follow(document_, found_.operation.At("requestBody"));
  if (!body) {
    return Fault(found_.operation.At("requestBody"), "leads to nothing in this document");
  }
  if (found_.method == "GET") return;  // the standard gives it no meaning
  const bool required = IsTrue(body->value->Find("required"));
  const Place content = body->At("content");
  const std::optional<std::string> type =
      content.value == nullptr ? std::nullopt : JsonTypeOf(*content.value);
  if (!type) {
    if (required) Fault(*body, "the body cannot be JSON, and nothing else can be sent");
    return;
  }
  const Place schema = content.At(*type).At("schema");
  tool_.body = FreeName("body", "request");
  if (type->find('*') == std::string::npos) tool_.content_type = *type;
  Add(tool_.body, schema.value == nullptr ? Json(true) : writer_.Write(schema), required);
}

std::string Translation::AddProperty(const Place& parameter, const std::string& name,
                                     const std::string& in) {
  std::string property = FreeName(name, in);
  Place schema = parameter.At("schema");
  if (const Place content = parameter.At("content"); content.value != nullptr) {
    const std::optional<std::string> type = JsonTypeOf(*content.value);
    if (!type) Fault(content, "a parameter's content can only be JSON");
    schema = content.At(type.value_or("")).At("schema");
  }
  Json written = schema.value == nullptr ? Json::MakeObject() : writer_.Write(schema);
  const std::string description = parameter.value->TextAt("description");
  if (written.IsObject() && written.Find("description") == nullptr && !description.empty()) {
    written.Set("description", std::string(router::FirstCharacters(description, kMostDescription)));
  }
  Add(property, std::move(written), in == "path" || IsTrue(parameter.value->Find("required")));
  return property;
}

void Translation::Add(const std::string& property, Json schema, bool required) {
  properties_.Set(property, std::move(schema));
  if (required) required_.Push(property);
}

// Parameters of different places may have one name.
std::string Translation::FreeName(const std::string& name, const std::string& in) const {
  if (properties_.Find(name) == nullptr) return name;
  std::string other = in + '_' + name;
  while (properties_.Find(other) != nullptr) other += '_';
  return other;
}

void Translation::CheckSchema() {
  if (tool_.input_schema.Dump().size() > kMostSchema) {
    return Fault(found_.operation, "the schema of its arguments is larger than 256 KiB");
  }
  const router::SchemaCompiled compiled = router::Schema::Compile(tool_.input_schema);
  if (!compiled.schema) {
    return Fault(found_.operation,
                 "the schema of its arguments cannot be evaluated: " + compiled.fault.text +
                     " (at " + compiled.fault.pointer + ')');
  }
  if (const std::optional<std::string> fault = FaultOf(tool_)) Fault(found_.operation, *fault);
}

}  // namespace

HttpTool ToolOf(const Json& document, OpenApiVersion version, const FoundOperation& found,
                std::vector<OpenApiFault>& faults) {
  return Translation(document, version, found, faults).Run();
}

}  // namespace writ::connectors
