#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/http/client_credentials.h"
#include "router/base/http.h"
#include "router/base/json.h"

namespace writ::connectors {

// A value of the arguments that travels in the query, and how what is no scalar is written there.
// A null, and what the arguments lack, is left out.
struct QueryParameter {
  enum class Style {
    kPlain,  // a list is a repeated name, an object is JSON text
    kForm,   // a list is a repeated name, an object's members are names of their own
    kComma,  // a list's items are one value, joined
    kSpace,
    kPipe,
    kDeep,  // an object's members are `name[key]`
    kJson,  // any value is JSON text
  };
  std::string name;      // in the URL
  std::string property;  // of the arguments
  Style style = Style::kPlain;
};

// A value that travels as a header: a scalar, or a list of them, joined by commas.
struct HeaderParameter {
  std::string name;
  std::string property;
};

// One tool of an `http` connector, as the configuration has it (contract section 2).
struct HttpTool {
  std::string name;
  std::string description;
  std::string method = "POST";
  std::string path;           // `/orders/{order_id}/cancel`
  router::Json input_schema;  // an object
  std::vector<QueryParameter> query = {};
  std::vector<HeaderParameter> headers = {};
  std::string body = {};  // the property that is the whole body; empty: none is
  // Where arguments go that are named nowhere: false, the JSON body is an object of them. A GET or
  // DELETE, and a tool with `body`, has them in its query in any case.
  bool rest_in_query = false;
  std::string content_type = "application/json";
};

struct HttpToolOptions {
  std::string name;             // the binding's id, for the log
  std::string base_url;         // what stands before each path
  router::HttpHeaders headers;  // on every request; never logged
  std::vector<HttpTool> tools;
  std::optional<ClientCredentialsOptions> oauth2 = {};
  // Refuses to connect to what is no public address (HttpRequest::public_only).
  bool public_only = true;
};

// Headers that belong to the connection, to its credentials, or to Writ itself.
[[nodiscard]] bool IsOursToSet(std::string_view header);

// What is wrong with a tool of the configuration (its method, a placeholder of its path that is
// no required property of the schema, a header that is not the model's to set, …); nullopt:
// nothing.
[[nodiscard]] std::optional<std::string> FaultOf(const HttpTool& tool);

}  // namespace writ::connectors
