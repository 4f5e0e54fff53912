#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "router/base/json.h"

namespace writ::router {

namespace schema {
struct Program;
}

struct SchemaFault {
  std::string pointer;  // JSON pointer; very long keys in it are cut
  std::string text;     // names the rule, never a value of the data
};

// What a schema says of some data. "Cannot judge" is neither of the others: whoever guards with a
// schema must take the safe side of both (a call is not sent, a rule that holds calls holds).
struct SchemaVerdict {
  enum class Kind { kValid, kInvalid, kCannotJudge };
  Kind kind = Kind::kCannotJudge;
  std::vector<SchemaFault> faults;  // kInvalid: at least one, at most SchemaOptions::max_faults
  std::string reason;               // kCannotJudge: why
};

struct SchemaOptions {
  std::size_t max_steps = 1'000'000;  // of one Validate(), about a second at worst
  std::size_t max_depth = 1'000;      // schemas within each other while validating
  std::size_t max_faults = 20;
  std::size_t max_schemas = 200'000;  // schemas in one document
};

struct SchemaCompiled;

// A JSON Schema of draft 2020-12 (also where there is no `$schema`) or draft 7, from anybody: no
// schema and no data may crash, stall or mislead the one who asks. What it cannot evaluate it does
// not ignore: a reference out of the document, a pattern that RE2 has not, a keyword of the wrong
// type, another draft or vocabulary is a fault of Compile(). `format` and the content keywords are
// annotations; unknown keywords are too. Numbers are compared by value, with all their digits.
//
// A value: immutable, cheap to copy, may be used by several threads at once.
class Schema {
 public:
  [[nodiscard]] static SchemaCompiled Compile(const Json& document, SchemaOptions options = {});

  [[nodiscard]] SchemaVerdict Validate(const Json& data) const;

  // The compiled form, for those within router/tool/schema.
  [[nodiscard]] const schema::Program& program() const { return *program_; }

 private:
  explicit Schema(std::shared_ptr<const schema::Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const schema::Program> program_;  // shared by the copies, never changed
};

struct SchemaCompiled {
  std::optional<Schema> schema;
  SchemaFault fault;  // where there is no schema: the first fault, `pointer` into the document
};

}  // namespace writ::router
