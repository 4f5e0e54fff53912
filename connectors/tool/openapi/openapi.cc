#include "connectors/tool/openapi/openapi.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "connectors/tool/openapi/operation.h"
#include "connectors/tool/openapi/references.h"
#include "router/tool/wildcard.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::size_t kLongestName = 128;

std::optional<OpenApiVersion> VersionOf(const Json& document) {
  const std::string version = document.TextAt("openapi");
  if (version.starts_with("3.0.")) return OpenApiVersion::k30;
  if (version.starts_with("3.1.")) return OpenApiVersion::k31;
  return std::nullopt;
}

// Each operation that has an id, in the document's order.
std::vector<FoundOperation> AllOperations(const Json& document, std::vector<OpenApiFault>& faults) {
  constexpr auto kMethods =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"get", "GET"},
                                                                    {"put", "PUT"},
                                                                    {"post", "POST"},
                                                                    {"patch", "PATCH"},
                                                                    {"delete", "DELETE"},
                                                                    {"head", "HEAD"},
                                                                    {"options", "OPTIONS"},
                                                                    {"trace", "TRACE"}});
  std::vector<FoundOperation> all;
  const Place paths = Place{&document, ""}.At("paths");
  if (paths.value == nullptr || !paths.value->IsObject()) {
    faults.push_back({"/paths", "the document has no paths"});
    return all;
  }
  for (const auto& path : paths.value->object()) {
    if (!path.key.starts_with('/')) continue;
    const std::optional<Place> item = Follow(document, paths.At(path.key));
    if (!item) {
      faults.push_back({paths.At(path.key).pointer, "leads to nothing in this document"});
      continue;
    }
    for (const auto& [key, method] : kMethods) {
      Place operation = item->At(key);
      if (operation.value == nullptr || operation.value->TextAt("operationId").empty()) continue;
      all.push_back({path.key, std::string(method), *item, std::move(operation)});
    }
  }
  return all;
}

// `https://{region}.example.org/v1` with each variable's default. nullopt where that is no address.
std::optional<std::string> UrlOf(const Json& server) {
  std::string url = server.TextAt("url");
  const Json* variables = server.Find("variables");
  for (std::size_t open = url.find('{'); open != std::string::npos; open = url.find('{', open)) {
    const std::size_t close = url.find('}', open);
    if (close == std::string::npos || variables == nullptr) return std::nullopt;
    const Json* variable = variables->Find(url.substr(open + 1, close - open - 1));
    const std::string value = variable == nullptr ? "" : variable->TextAt("default");
    url.replace(open, close - open + 1, value);
    open += value.size();
  }
  const bool absolute = url.starts_with("https://") || url.starts_with("http://");
  const bool plain =
      url.find_first_of("@?#{}") == std::string::npos &&
      std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (!absolute || !plain) return std::nullopt;
  return url;
}

// Where an operation is served: its own servers, its path's, the document's.
Place ServerOf(const Json& document, const FoundOperation& found) {
  for (const Place& place : {found.operation, found.path_item, Place{&document, ""}}) {
    Place first = place.At("servers").At(std::size_t{0});
    if (first.value != nullptr) return first;
  }
  return {nullptr, "/servers"};
}

// What the model is offered can lead a call to one host alone: that is where the credentials go.
void AgreeOnServer(const Json& document, const FoundOperation& found, OpenApiTools& tools) {
  const Place server = ServerOf(document, found);
  const std::optional<std::string> url =
      server.value == nullptr ? std::nullopt : UrlOf(*server.value);
  if (!url) {
    tools.faults.push_back({server.pointer, "no whole address: the connector needs a base_url"});
  } else if (tools.base_url.empty()) {
    tools.base_url = *url;
  } else if (tools.base_url != *url) {
    tools.faults.push_back(
        {server.pointer, "the operations have different servers: the connector needs a base_url"});
  }
}

bool IsName(std::string_view id) {
  return id.size() <= kLongestName &&
         std::all_of(id.begin(), id.end(), [](char c) { return c > 0x20 && c != 0x7f; });
}

}  // namespace

OpenApiTools ToolsOf(const Json& document, const OpenApiOptions& options) {
  OpenApiTools tools;
  tools.base_url = options.base_url;
  const std::optional<OpenApiVersion> version = VersionOf(document);
  if (!version) {
    tools.faults.push_back({"/openapi", "is neither 3.0 nor 3.1"});
    return tools;
  }
  std::vector<bool> matched(options.operations.size());
  std::set<std::string> names;
  for (const FoundOperation& found : AllOperations(document, tools.faults)) {
    const std::string id = found.operation.value->TextAt("operationId");
    bool chosen = false;
    for (std::size_t i = 0; i < options.operations.size(); ++i) {
      if (!router::MatchesWildcard(options.operations[i], id)) continue;
      chosen = matched[i] = true;
    }
    if (!chosen) continue;
    const Place name = found.operation.At("operationId");
    if (!IsName(id)) tools.faults.push_back({name.pointer, "can be no tool's name"});
    if (!names.insert(id).second) {
      tools.faults.push_back({name.pointer, "another operation has the same"});
    }
    if (options.base_url.empty()) AgreeOnServer(document, found, tools);
    tools.tools.push_back(ToolOf(document, *version, found, tools.faults));
  }
  for (std::size_t i = 0; i < matched.size(); ++i) {
    if (!matched[i]) tools.unmatched.push_back(i);
  }
  return tools;
}

}  // namespace writ::connectors
