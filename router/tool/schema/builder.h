#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "router/base/json.h"
#include "router/tool/schema/decimal.h"
#include "router/tool/schema/document.h"
#include "router/tool/schema/keyword.h"
#include "router/tool/schema/pattern.h"
#include "router/tool/schema/program.h"

namespace writ::router::schema {

// The patterns of one document; each text is compiled once.
using PatternShelf = std::map<std::string, Pattern, std::less<>>;

// Turns one schema of a document into its keywords. The readers give what a keyword holds, and
// nothing where it is absent; where it is of the wrong type they note the fault too.
class Builder {
 public:
  Builder(Document& document, PatternShelf& patterns, NodeId id, Node& node)
      : document_(document), patterns_(patterns), id_(id), node_(node) {}

  [[nodiscard]] Draft draft() const { return document_.DraftOf(id_); }
  [[nodiscard]] Document& document() { return document_; }
  [[nodiscard]] NodeId id() const { return id_; }
  void Fault(std::string_view keyword, std::string text) {
    document_.Fault(id_, keyword, std::move(text));
  }

  [[nodiscard]] const Json* Find(std::string_view keyword) const {
    return document_.SchemaOf(id_).Find(keyword);
  }
  [[nodiscard]] std::optional<Decimal> Number(std::string_view keyword);
  [[nodiscard]] std::optional<std::size_t> Count(std::string_view keyword);  // 0 or more
  [[nodiscard]] std::optional<std::string> Text(std::string_view keyword);
  [[nodiscard]] std::optional<Pattern> CompilePattern(std::string_view keyword,
                                                      std::string_view text);
  // `names` is the value of `keyword` or something in it.
  [[nodiscard]] std::vector<std::string> Names(std::string_view keyword, const Json& names);

  [[nodiscard]] std::optional<NodeId> Sub(std::string_view keyword);
  [[nodiscard]] std::vector<NodeId> SubList(std::string_view keyword);  // empty where absent
  [[nodiscard]] std::map<std::string, NodeId, std::less<>> SubMap(std::string_view keyword);

  template <class Kind, class... Args>
  void Add(Args&&... args) {
    node_.keywords.push_back(std::make_unique<const Kind>(std::forward<Args>(args)...));
  }
  void AsksUnevaluated() { node_.asks_unevaluated = true; }

 private:
  Document& document_;
  PatternShelf& patterns_;
  NodeId id_;
  Node& node_;
};

// The families of keywords, in the order in which they are judged.
void AddReferences(Builder& builder);
void AddAnyType(Builder& builder);
void AddNumbers(Builder& builder);
void AddStrings(Builder& builder);
void AddArrays(Builder& builder);
void AddObjects(Builder& builder);
void AddDependencies(Builder& builder);
void AddLogic(Builder& builder);
void AddConditions(Builder& builder);
void AddUnevaluated(Builder& builder);  // last: it asks what the others have evaluated

}  // namespace writ::router::schema
