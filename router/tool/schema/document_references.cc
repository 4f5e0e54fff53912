// What a reference within a document means: the other half of Document.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "router/tool/schema/document.h"
#include "router/tool/schema/pointer.h"
#include "router/tool/schema/uri.h"

namespace writ::router::schema {
namespace {

// An index as a JSON pointer writes it: digits without a leading zero.
const Json* ElementAt(const Json& array, std::string_view token) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool whole = error == std::errc() && end == token.data() + token.size();
  if (!whole || (token.size() > 1 && token.front() == '0') || index >= array.array().size()) {
    return nullptr;
  }
  return &array.array()[index];
}

}  // namespace

bool Document::RefStandsAlone(NodeId node) const {
  return DraftOf(node) == Draft::k7 && SchemaOf(node).Find("$ref") != nullptr;
}

std::optional<NodeId> Document::NodeOf(const Json* schema) const {
  const auto found = nodes_.find(schema);
  return found == nodes_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<AnchorTargets> Document::DynamicAnchors() const {
  std::vector<AnchorTargets> all;
  for (const Resource& resource : resources_) {
    all.push_back(resource.dynamic_anchors);
  }
  return all;
}

std::optional<Document::Target> Document::Resolve(NodeId from, std::string_view keyword,
                                                  std::string_view reference) {
  const SplitUri split = SplitFragment(reference);
  std::size_t index = positions_[from].resource;
  if (!split.uri.empty()) {
    const std::string uri = ResolveReference(resources_[index].uri, split.uri);
    const auto found = by_uri_.find(uri);
    if (found != by_uri_.end()) {
      index = found->second;
    } else if (uri != resources_[index].uri) {
      Fault(from, keyword, "refers out of the document");
      return std::nullopt;
    }
  }
  const std::optional<std::string> fragment = PercentDecode(split.fragment);
  std::optional<Target> target;
  if (fragment && (fragment->empty() || fragment->front() == '/')) {
    if (const auto node = FollowPointer(resources_[index].root, *fragment)) {
      target = Target{*node, ""};
    }
  } else if (fragment) {
    const Resource& resource = resources_[index];
    if (const auto found = resource.anchors.find(*fragment); found != resource.anchors.end()) {
      const auto dynamic = resource.dynamic_anchors.find(*fragment);
      const bool is_dynamic =
          dynamic != resource.dynamic_anchors.end() && dynamic->second == found->second;
      target = Target{found->second, is_dynamic ? *fragment : ""};
    }
  }
  if (!target) {
    Fault(from, keyword, "refers to what is not in the document");
  }
  return target;
}

std::optional<NodeId> Document::FollowPointer(NodeId root, std::string_view pointer) {
  const Json* at = positions_[root].schema;
  NodeId known = root;     // the last schema on the way
  std::string from_known;  // the tokens since
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const std::string_view token = pointer.substr(0, end);
    pointer.remove_prefix(end);
    at = at->IsArray() ? ElementAt(*at, token) : at->Find(UnescapeToken(token));
    if (at == nullptr) {
      return std::nullopt;
    }
    (from_known += from_known.empty() ? "" : "/") += token;
    if (const auto node = NodeOf(at)) {
      known = *node;
      from_known.clear();
    }
  }
  if (const auto node = NodeOf(at)) {
    return node;
  }
  const NodeId added = positions_.size();
  Add(*at, known, std::move(from_known), /*named=*/false);
  WalkAll();
  return added;
}

void Document::Fault(NodeId node, std::string_view keyword, std::string text) {
  if (fault_) {
    return;
  }
  std::vector<std::string_view> tokens;
  if (!keyword.empty()) {
    tokens.push_back(keyword);
  }
  for (NodeId at = node; at != 0; at = positions_[at].parent) {
    tokens.push_back(positions_[at].token);
  }
  std::string pointer;
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
    (pointer += '/') += *token;
  }
  fault_ = SchemaFault{std::move(pointer), std::move(text)};
}

}  // namespace writ::router::schema
