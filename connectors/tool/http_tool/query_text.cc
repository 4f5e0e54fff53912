#include "connectors/tool/http_tool/query_text.h"

#include <string_view>

#include "connectors/http/percent.h"
#include "connectors/tool/http_tool/path_template.h"

namespace writ::connectors {
namespace {

using router::Json;
using Style = QueryParameter::Style;

// A scalar's text; what is none is JSON text.
std::string TextOf(const Json& value) { return ScalarText(value).value_or(value.Dump()); }

void Add(std::string_view name, const Json& value, std::string& query) {
  query += query.empty() ? '?' : '&';
  query += PercentEncode(name) + '=' + PercentEncode(TextOf(value));
}

// The separators are not encoded: they are not part of a value.
void AddJoined(std::string_view name, const Json& value, std::string_view separator,
               std::string& query) {
  std::string joined;
  const auto add = [&](const std::string& item) {
    if (!joined.empty()) joined += separator;
    joined += PercentEncode(item);
  };
  if (value.IsArray()) {
    for (const Json& item : value.array()) add(TextOf(item));
  } else {
    for (const auto& member : value.object()) {
      add(member.key);
      add(TextOf(member.value));
    }
  }
  query += query.empty() ? '?' : '&';
  query += PercentEncode(name) + '=' + joined;
}

void AddList(const QueryParameter& parameter, const Json& list, std::string& query) {
  switch (parameter.style) {
    case Style::kPlain:
    case Style::kForm:
    case Style::kDeep:
    case Style::kJson:
      for (const Json& item : list.array()) Add(parameter.name, item, query);
      break;
    case Style::kComma:
      AddJoined(parameter.name, list, ",", query);
      break;
    case Style::kSpace:
      AddJoined(parameter.name, list, "%20", query);
      break;
    case Style::kPipe:
      AddJoined(parameter.name, list, "%7C", query);
      break;
  }
}

void AddObject(const QueryParameter& parameter, const Json& object, std::string& query) {
  switch (parameter.style) {
    case Style::kPlain:
    case Style::kJson:
      Add(parameter.name, object, query);
      break;
    case Style::kForm:
      for (const auto& member : object.object()) Add(member.key, member.value, query);
      break;
    case Style::kComma:
      AddJoined(parameter.name, object, ",", query);
      break;
    case Style::kSpace:
      AddJoined(parameter.name, object, "%20", query);
      break;
    case Style::kPipe:
      AddJoined(parameter.name, object, "%7C", query);
      break;
    case Style::kDeep:
      for (const auto& member : object.object()) {
        Add(parameter.name + '[' + member.key + ']', member.value, query);
      }
      break;
  }
}

}  // namespace

void AddToQuery(const QueryParameter& parameter, const Json& value, std::string& query) {
  if (value.IsNull()) return;
  if (parameter.style == Style::kJson) {
    Add(parameter.name, Json(value.Dump()), query);
  } else if (value.IsArray()) {
    AddList(parameter, value, query);
  } else if (value.IsObject()) {
    AddObject(parameter, value, query);
  } else {
    Add(parameter.name, value, query);
  }
}

}  // namespace writ::connectors
