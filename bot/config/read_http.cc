#include "bot/config/read_http.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bot/config/read_schema.h"
#include "connectors/http/ascii.h"
#include "connectors/http/public_address.h"
#include "connectors/tool/openapi/openapi.h"

namespace writ::bot {

using connectors::ClientCredentialsOptions;
using connectors::HttpTool;
using connectors::HttpToolOptions;
using router::Json;

namespace {

bool HasHeader(const router::HttpHeaders& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(), [&](const auto& header) {
    return connectors::InLowerCase(header.first) == connectors::InLowerCase(name);
  });
}

// An address that is not public by its own look was meant by whoever wrote it here.
bool IsPublicOnly(const Node& connector, const std::string& url) {
  return !connector["allow_private"].Flag(false) && !connectors::NamesPrivateAddress(url);
}

std::optional<ClientCredentialsOptions> ReadOAuth2(const Node& connector) {
  const Node node = connector["oauth2"];
  if (!node.exists()) return std::nullopt;
  ClientCredentialsOptions options;
  options.token_url = node["token_url"].Url();
  options.client_id = node["client_id"].ReadSecret().Reveal();
  options.client_secret = node["client_secret"].ReadSecret().Reveal();
  options.scope = node["scope"].Text();
  options.audience = node["audience"].Text();
  options.auth = node["client_auth"].Text("basic") == "form"
                     ? ClientCredentialsOptions::Auth::kForm
                     : ClientCredentialsOptions::Auth::kBasic;
  options.public_only = IsPublicOnly(connector, options.token_url);
  return options;
}

// All but the tools and the address.
HttpToolOptions ReadReach(const Node& node) {
  HttpToolOptions options;
  options.name = node["id"].Text();
  options.base_url = node["base_url"].Url();
  options.headers = ReadHeaders(node["headers"]);
  options.oauth2 = ReadOAuth2(node);
  options.public_only = IsPublicOnly(node, options.base_url);
  if (options.oauth2 && HasHeader(options.headers, "authorization")) {
    node["headers"].Fault("an authorization header and oauth2 exclude each other");
  }
  return options;
}

// The model must not replace what the operator has set.
void CheckHeaders(const Node& node, const HttpTool& tool, const HttpToolOptions& options) {
  for (const connectors::HeaderParameter& parameter : tool.headers) {
    if (HasHeader(options.headers, parameter.name)) {
      node.Fault("the header " + parameter.name + " of a tool is among the connector's own");
    }
  }
}

HttpTool ReadHttpTool(const Node& node) {
  const Node input_schema = node["input_schema"];
  HttpTool tool{node["name"].Text(), node["description"].Text(), node["method"].Text("POST"),
                node["path"].Text(), input_schema.json()};
  for (const std::string& property : node["query"].Texts()) {
    tool.query.push_back({property, property});
  }
  for (const std::string& name : node["headers"].Keys()) {
    tool.headers.push_back({name, node["headers"][name].Text()});
  }
  tool.body = node["body"].Text();
  if (CompileSchema(input_schema)) {
    if (const std::optional<std::string> fault = connectors::FaultOf(tool)) {
      node.Fault(*fault);
    }
  }
  return tool;
}

// The document itself, or the file that has it.
std::optional<Json> ReadDocument(const Node& node) {
  if (node.json().IsObject()) return node.json();
  const std::optional<std::string> text = node.FileText();
  if (!text) {
    node.Fault("the file cannot be read");
    return std::nullopt;
  }
  router::JsonParsed parsed = router::ParseJson(*text);
  if (!parsed.value) {
    node.Fault("the file is no JSON (YAML has to be converted): " + parsed.fault);
  } else if (!parsed.value->IsObject()) {
    node.Fault("the file is no OpenAPI document");
    return std::nullopt;
  }
  return std::move(parsed.value);
}

}  // namespace

router::HttpHeaders ReadHeaders(const Node& node) {
  router::HttpHeaders headers;
  for (const std::string& name : node.Keys()) {
    const Node entry = node[name];
    std::string value = entry.ReadSecret().Reveal();
    // A line break would begin a header of its own.
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      entry.Fault("a header's value is one line");
    }
    headers.emplace_back(name, std::move(value));
  }
  return headers;
}

HttpToolOptions ReadHttp(const Node& node) {
  HttpToolOptions options = ReadReach(node);
  for (const Node& entry : node["tools"].Items()) {
    options.tools.push_back(ReadHttpTool(entry));
    CheckHeaders(entry, options.tools.back(), options);
    for (std::size_t earlier = 0; earlier + 1 < options.tools.size(); ++earlier) {
      if (options.tools[earlier].name == options.tools.back().name) {
        entry["name"].Fault("a tool of that name stands before");
      }
    }
  }
  return options;
}

HttpToolOptions ReadOpenApi(const Node& node) {
  HttpToolOptions options = ReadReach(node);
  const Node place = node["document"];
  const std::optional<Json> document = ReadDocument(place);
  if (!document) return options;
  connectors::OpenApiTools read =
      connectors::ToolsOf(*document, {node["operations"].Texts(), options.base_url});
  for (const connectors::OpenApiFault& fault : read.faults) {
    if (place.json().IsObject()) {
      place.FaultAt(fault.pointer, fault.text);
    } else {
      place.Fault(fault.text + " (in the file, at " + fault.pointer + ')');
    }
  }
  const std::vector<Node> chosen = node["operations"].Items();
  for (const std::size_t index : read.unmatched) {
    chosen[index].Fault("the document has no such operation");
  }
  options.tools = std::move(read.tools);
  for (const HttpTool& tool : options.tools) CheckHeaders(node["headers"], tool, options);
  // What a document says of its server is not what the operator wrote: a private address in it
  // needs `allow_private`.
  if (options.base_url.empty()) {
    options.base_url = std::move(read.base_url);
    options.public_only = !node["allow_private"].Flag(false);
    if (options.public_only && connectors::NamesPrivateAddress(options.base_url)) {
      place.Fault(
          "its server is a private address: the connector needs allow_private or a base_url");
    }
  }
  return options;
}

}  // namespace writ::bot
