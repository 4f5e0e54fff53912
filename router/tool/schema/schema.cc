#include "router/tool/schema/schema.h"

#include <utility>

#include "router/tool/schema/builder.h"
#include "router/tool/schema/document.h"
#include "router/tool/schema/evaluation.h"
#include "router/tool/schema/program.h"

namespace writ::router {
namespace {

// In doubt a secret: a `writeOnly` of the wrong type is one too.
bool IsSecret(const Json& schema) {
  const Json* write_only = schema.Find("writeOnly");
  const Json* format = schema.Find("format");
  return (write_only != nullptr && !(*write_only == Json(false))) ||
         (format != nullptr && *format == Json("password"));
}

schema::Node CompileNode(schema::Document& document, schema::PatternShelf& patterns,
                         schema::NodeId id) {
  schema::Node node;
  node.resource = document.ResourceOf(id);
  const Json& value = document.SchemaOf(id);
  if (value.IsBool()) {
    node.boolean = value.boolean();
    return node;
  }
  node.secret = IsSecret(value);
  schema::Builder builder(document, patterns, id, node);
  AddReferences(builder);
  if (document.RefStandsAlone(id)) {
    return node;
  }
  AddAnyType(builder);
  AddNumbers(builder);
  AddStrings(builder);
  AddArrays(builder);
  AddObjects(builder);
  AddDependencies(builder);
  AddLogic(builder);
  AddConditions(builder);
  if (builder.draft() == schema::Draft::k2020_12) {
    AddUnevaluated(builder);
  }
  return node;
}

}  // namespace

SchemaCompiled Schema::Compile(const Json& document, SchemaOptions options) {
  auto program = std::make_shared<schema::Program>();
  program->document = document;
  program->options = options;
  schema::Document index(program->document, options);
  schema::PatternShelf patterns;
  // The document grows while references find schemas where none was expected.
  for (schema::NodeId id = 0; id < index.size() && !index.fault(); ++id) {
    program->nodes.push_back(CompileNode(index, patterns, id));
  }
  if (index.fault()) {
    return {std::nullopt, *index.fault()};
  }
  program->dynamic_anchors = index.DynamicAnchors();
  return {Schema(std::move(program)), {}};
}

SchemaVerdict Schema::Validate(const Json& data) const {
  return schema::Evaluation(*program_).Run(data);
}

}  // namespace writ::router
