#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "router/base/json.h"
#include "router/tool/schema/keyword.h"
#include "router/tool/schema/schema.h"

namespace writ::router::schema {

// One schema of the document, compiled.
struct Node {
  std::optional<bool> boolean;  // the schemas `true` and `false`; they have no keywords
  std::vector<std::unique_ptr<const Keyword>> keywords;
  std::size_t resource = 0;
  bool asks_unevaluated = false;
  bool secret = false;  // `writeOnly`, or `format: password`
};

using AnchorTargets = std::map<std::string, NodeId, std::less<>>;

// A whole document, compiled. The first node is its root. Immutable once compiled.
struct Program {
  Json document;  // string_views in keywords point into it
  SchemaOptions options;
  std::vector<Node> nodes;
  std::vector<AnchorTargets> dynamic_anchors;  // `$dynamicAnchor`s, by resource
};

}  // namespace writ::router::schema
