#pragma once

#include <map>
#include <string>
#include <vector>

#include "connectors/tool/openapi/openapi.h"
#include "connectors/tool/openapi/references.h"
#include "router/base/json.h"

namespace writ::connectors {

enum class OpenApiVersion { k30, k31 };

// Writes the schemas of one operation's arguments as JSON Schema 2020-12. What they refer to in the
// document goes into `$defs`. A property that is `readOnly` is left out: it is none of a request's.
class SchemaWriter {
 public:
  // Both must outlive the writer.
  SchemaWriter(const router::Json& document, OpenApiVersion version,
               std::vector<OpenApiFault>& faults)
      : document_(document), version_(version), faults_(faults) {}

  [[nodiscard]] router::Json Write(const Place& schema);

  // All that was referred to, and what that refers to; an empty object where there is none.
  [[nodiscard]] router::Json TakeDefinitions();

 private:
  [[nodiscard]] router::Json WriteReference(const Place& ref);
  [[nodiscard]] router::Json WriteList(const Place& list);
  [[nodiscard]] router::Json WriteMap(const Place& map);
  [[nodiscard]] router::Json WriteProperties(const Place& properties);
  [[nodiscard]] router::Json WriteRequired(const Place& schema);
  void WriteMember(const Place& schema, const std::string& key, router::Json& written);
  [[nodiscard]] bool IsReadOnly(const Place& schema) const;
  [[nodiscard]] std::string NameFor(const std::string& pointer);
  void Fault(const Place& place, std::string text) {
    faults_.push_back({place.pointer, std::move(text)});
  }

  const router::Json& document_;
  const OpenApiVersion version_;
  std::vector<OpenApiFault>& faults_;
  std::map<std::string, std::string> names_;   // of definitions, by pointer
  std::map<std::string, std::string> places_;  // the other way round
  std::vector<Place> waiting_;                 // referred to, not yet written
};

}  // namespace writ::connectors
