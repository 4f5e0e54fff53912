#include "bot/http/api_body.h"

#include <string_view>
#include <utility>

#include "bot/http/header_text.h"
#include "connectors/http/inflate.h"

namespace writ::bot {
namespace {

using connectors::InflateFault;
using router::Json;

// `application/json`, whatever parameters follow: JSON has one encoding only.
bool IsJson(const Request& request) {
  const std::string* type = request.Header("content-type");
  if (type == nullptr) return false;
  return LowerAscii(TrimBlanks(std::string_view(*type).substr(0, type->find(';')))) ==
         "application/json";
}

// It is JSON, so it is a field's fault: of the edit where it stands in one.
Problem NotANumber(const std::string& pointer) {
  const bool in_edit = pointer.starts_with("/edited_arguments/");
  return {in_edit ? ProblemCode::kEditedArgumentsInvalid : ProblemCode::kInvalidRequest,
          "See errors.",
          {{pointer, "is not finite or has too many digits"}}};
}

}  // namespace

std::variant<Json, Problem> ReadJsonBody(const Request& request) {
  const std::string* encoding = request.Header("content-encoding");
  const std::string name = encoding == nullptr ? "identity" : LowerAscii(*encoding);
  if (!IsJson(request)) {
    return Problem{ProblemCode::kUnsupportedMediaType, "The body's type must be application/json."};
  }
  if (name != "identity" && name != "gzip") {
    return Problem{ProblemCode::kUnsupportedMediaType,
                   "The body's encoding must be identity or gzip."};
  }
  std::string inflated;
  if (name == "gzip") {
    auto outcome = connectors::Inflate(request.body, kMaxInflatedBytes);
    if (const auto* fault = std::get_if<InflateFault>(&outcome)) {
      return *fault == InflateFault::kTooLarge
                 ? Problem{ProblemCode::kBodyTooLarge, "A body may have 8 MiB inflated."}
                 : Problem{ProblemCode::kMalformedJson, "The body is not valid gzip."};
    }
    inflated = std::move(std::get<std::string>(outcome));
  }
  router::JsonParsed parsed = router::ParseJson(name == "gzip" ? inflated : request.body);
  if (parsed.out_of_range) return NotANumber(*parsed.out_of_range);
  if (!parsed.value) return Problem{ProblemCode::kMalformedJson, std::move(parsed.fault)};
  return std::move(*parsed.value);
}

}  // namespace writ::bot
