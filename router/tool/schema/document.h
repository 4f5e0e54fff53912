#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "router/base/json.h"
#include "router/tool/schema/draft.h"
#include "router/tool/schema/keyword.h"
#include "router/tool/schema/program.h"
#include "router/tool/schema/schema.h"

namespace writ::router::schema {

// All schemas of one document, found before any is compiled: which ids, anchors and drafts they
// have, and what a reference means. Nothing in here recurses, so no document is too deep.
// The first fault is kept; what is asked after it has no meaning.
class Document {
 public:
  // `root` must outlive this.
  Document(const Json& root, const SchemaOptions& options);

  [[nodiscard]] std::size_t size() const { return positions_.size(); }
  [[nodiscard]] const Json& SchemaOf(NodeId node) const { return *positions_[node].schema; }
  [[nodiscard]] std::size_t ResourceOf(NodeId node) const { return positions_[node].resource; }
  [[nodiscard]] Draft DraftOf(NodeId node) const {
    return resources_[positions_[node].resource].draft;
  }
  // In draft 7 `$ref` makes all keywords beside it void.
  [[nodiscard]] bool RefStandsAlone(NodeId node) const;

  [[nodiscard]] std::optional<NodeId> NodeOf(const Json* schema) const;
  [[nodiscard]] std::vector<AnchorTargets> DynamicAnchors() const;

  struct Target {
    NodeId node = 0;
    std::string dynamic_anchor;  // where the reference named a `$dynamicAnchor`
  };
  // What `reference`, the value of `keyword` in `from`, means. A target where no schema was
  // expected becomes one now. nullopt is a fault.
  [[nodiscard]] std::optional<Target> Resolve(NodeId from, std::string_view keyword,
                                              std::string_view reference);

  [[nodiscard]] const std::optional<SchemaFault>& fault() const { return fault_; }
  void Fault(NodeId node, std::string_view keyword, std::string text);

 private:
  struct Position {
    const Json* schema;
    std::size_t resource;
    NodeId parent;
    std::string token;  // from the parent, one token or more: `properties/name`
    bool named;         // its `$id` and anchors count: it stands where a schema is expected
  };
  struct Resource {
    std::string uri;
    NodeId root;
    Draft draft;
    bool named;
    AnchorTargets anchors;
    AnchorTargets dynamic_anchors;
  };

  void Add(const Json& schema, NodeId parent, std::string token, bool named);
  void WalkAll();
  void Walk(NodeId node);
  void AddChildren(NodeId node, const Applicator& applicator, const Json& value);
  void Identify(NodeId node);
  void ReadId(NodeId node, Draft draft);
  void AddAnchor(NodeId node, std::string_view keyword, std::string_view name);
  [[nodiscard]] std::optional<Draft> ReadDraft(NodeId node);
  [[nodiscard]] std::optional<NodeId> FollowPointer(NodeId root, std::string_view pointer);

  std::size_t max_schemas_;
  std::vector<Position> positions_;
  std::vector<Resource> resources_;
  std::size_t walked_ = 0;
  std::unordered_map<const Json*, NodeId> nodes_;
  std::map<std::string, std::size_t, std::less<>> by_uri_;
  std::optional<SchemaFault> fault_;
};

}  // namespace writ::router::schema
