#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "router/base/json.h"
#include "router/tool/binding.h"
#include "router/tool/shelf.h"

namespace writ::tests {

inline router::Json Parsed(std::string_view text) {
  router::JsonParsed parsed = router::ParseJson(text);
  if (!parsed.value) throw std::invalid_argument(parsed.fault);
  return *std::move(parsed.value);
}

inline router::Schema SchemaOf(std::string_view text) {
  return router::Schema::Compile(Parsed(text)).schema.value();
}

inline router::Tool ATool(std::string name, std::string_view schema = R"({"type":"object"})") {
  router::Tool tool;
  tool.name = std::move(name);
  tool.input_schema = Parsed(schema);
  return tool;
}

// A binding of `crm` that holds nothing.
inline router::Binding ABinding() {
  router::Binding binding;
  binding.id = router::ConnectorId("crm");
  return binding;
}

inline router::Shelf AShelf(const router::Binding& binding, std::vector<router::Tool> tools) {
  return {binding, router::ToolList{std::move(tools), router::SteadyPoint{}}};
}

}  // namespace writ::tests
