#include "router/tool/schema/document.h"

#include <array>
#include <utility>

#include "router/tool/schema/pointer.h"
#include "router/tool/schema/uri.h"

namespace writ::router::schema {
namespace {

constexpr std::string_view kBase = "schema:///document";  // what a root without `$id` is called
constexpr std::size_t kMaxUri = 2000;  // bytes; each reference is resolved against it

// The vocabularies of 2020-12 that we know how to evaluate; `format-assertion` is none of them.
constexpr std::string_view kVocabulary = "https://json-schema.org/draft/2020-12/vocab/";
constexpr auto kVocabularies =
    std::to_array<std::string_view>({"core", "applicator", "unevaluated", "validation", "meta-data",
                                     "format-annotation", "content"});

bool IsKnownVocabulary(std::string_view uri) {
  for (const std::string_view name : kVocabularies) {
    if (uri.starts_with(kVocabulary) && uri.substr(kVocabulary.size()) == name) {
      return true;
    }
  }
  return false;
}

}  // namespace

Document::Document(const Json& root, const SchemaOptions& options)
    : max_schemas_(options.max_schemas) {
  resources_.push_back({std::string(kBase), 0, Draft::k2020_12, true, {}, {}});
  Add(root, 0, "", /*named=*/true);
  WalkAll();
}

void Document::Add(const Json& schema, NodeId parent, std::string token, bool named) {
  const NodeId id = positions_.size();
  const std::size_t resource = positions_.empty() ? 0 : positions_[parent].resource;
  positions_.push_back({&schema, resource, parent, std::move(token), named});
  if (!schema.IsObject() && !schema.IsBool()) {
    Fault(id, "", "must be a schema: an object, true or false");
  }
  if (positions_.size() > max_schemas_) {
    Fault(id, "", "the document has too many schemas");
  }
  nodes_.emplace(&schema, id);
}

void Document::WalkAll() {
  for (; walked_ < positions_.size() && !fault_; ++walked_) {
    if (positions_[walked_].schema->IsObject()) {
      Walk(walked_);
    }
  }
}

void Document::Walk(NodeId node) {
  Identify(node);
  const Json& schema = SchemaOf(node);
  for (const Applicator& applicator : ApplicatorsOf(DraftOf(node))) {
    if (RefStandsAlone(node) && applicator.keyword != "definitions") {
      continue;
    }
    if (const Json* value = schema.Find(applicator.keyword); value != nullptr) {
      AddChildren(node, applicator, *value);
    }
  }
}

void Document::AddChildren(NodeId node, const Applicator& applicator, const Json& value) {
  const std::string keyword(applicator.keyword);
  const bool named = positions_[node].named;
  const Shape shape = applicator.shape;
  const bool is_list = value.IsArray() && (shape == Shape::kList || shape == Shape::kSchemaOrList);
  const bool is_map = shape == Shape::kMap || shape == Shape::kMapOrNameLists;
  if (is_list) {
    for (std::size_t i = 0; i < value.array().size(); ++i) {
      Add(value.array()[i], node, keyword + "/" + std::to_string(i), named);
    }
    if (value.array().empty() && shape == Shape::kList) {
      Fault(node, keyword, "must have at least one schema");
    }
  } else if (is_map && value.IsObject()) {
    for (const JsonMember& member : value.object()) {
      if (shape == Shape::kMap || !member.value.IsArray()) {
        Add(member.value, node, keyword + "/" + EscapeToken(member.key), named);
      }
    }
  } else if (is_map) {
    Fault(node, keyword, "must be an object");
  } else if (shape == Shape::kList) {
    Fault(node, keyword, "must be an array of schemas");
  } else {
    Add(value, node, keyword, named);
  }
}

std::optional<Draft> Document::ReadDraft(NodeId node) {
  const Json& schema = SchemaOf(node);
  const Json* name = schema.Find("$schema");
  if (name == nullptr) {
    return DraftOf(node);
  }
  const std::optional<Draft> draft = name->IsString() ? DraftNamed(name->string()) : std::nullopt;
  if (!draft) {
    Fault(node, "$schema", "names a draft that cannot be evaluated");
  } else if (*draft != DraftOf(node) && node != 0 && schema.Find("$id") == nullptr) {
    Fault(node, "$schema", "changes the draft within a resource");
  }
  return draft;
}

void Document::Identify(NodeId node) {
  const Json& schema = SchemaOf(node);
  const std::optional<Draft> draft = ReadDraft(node);
  if (!draft) {
    return;
  }
  if (node == 0) {
    resources_[0].draft = *draft;
  }
  if (*draft == Draft::k7 && schema.Find("$ref") != nullptr) {
    return;
  }
  ReadId(node, *draft);
  if (*draft == Draft::k7) {
    return;
  }
  for (const std::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
    if (const Json* name = schema.Find(keyword); name != nullptr) {
      AddAnchor(node, keyword, name->IsString() ? name->string() : "");
    }
  }
  if (schema.Find("$recursiveRef") != nullptr) {
    Fault(node, "$recursiveRef", "is of draft 2019-09, which cannot be evaluated");
  }
  const Json* vocabularies = schema.Find("$vocabulary");
  if (vocabularies != nullptr && vocabularies->IsObject()) {
    for (const JsonMember& member : vocabularies->object()) {
      if (!(member.value == Json(false)) && !IsKnownVocabulary(member.key)) {
        Fault(node, "$vocabulary", "requires a vocabulary that cannot be evaluated");
      }
    }
  }
}

void Document::ReadId(NodeId node, Draft draft) {
  const Json* id = SchemaOf(node).Find("$id");
  if (id == nullptr) {
    return;
  }
  if (!id->IsString() || id->string().size() > kMaxUri) {
    Fault(node, "$id", "must be a string of at most 2000 bytes");
    return;
  }
  const SplitUri split = SplitFragment(id->string());
  if (!split.uri.empty()) {
    const Resource& outer = resources_[positions_[node].resource];
    const bool named = positions_[node].named;
    const std::string uri = ResolveReference(outer.uri, split.uri);
    const std::size_t index = node == 0 ? 0 : resources_.size();
    if (node == 0) {
      resources_[0].uri = uri;
    } else {
      resources_.push_back({uri, node, draft, named, {}, {}});
    }
    positions_[node].resource = index;
    if (uri.size() > 2 * kMaxUri || (named && !by_uri_.emplace(uri, index).second)) {
      Fault(node, "$id", "is too long or another schema of this document has it");
    }
  }
  if (draft == Draft::k7 && !split.fragment.empty()) {
    AddAnchor(node, "$id", split.fragment);  // draft 7's way to write an anchor
  } else if (!split.fragment.empty()) {
    Fault(node, "$id", "must have no fragment");
  }
}

void Document::AddAnchor(NodeId node, std::string_view keyword, std::string_view name) {
  Resource& resource = resources_[positions_[node].resource];
  if (!positions_[node].named && resource.named) {
    return;
  }
  const bool is_new = resource.anchors.emplace(name, node).second;
  if (name.empty() || name.front() == '/') {
    Fault(node, keyword, "must be a plain name");
  } else if (!is_new && resource.anchors.find(name)->second != node) {
    Fault(node, keyword, "is the anchor of another schema too");
  }
  if (keyword == "$dynamicAnchor") {
    resource.dynamic_anchors.emplace(name, node);
  }
}

}  // namespace writ::router::schema
