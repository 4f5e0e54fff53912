#include "bot/http/api_body.h"

#include <string_view>
#include <utility>

#include "bot/http/header_text.h"
#include "bot/http/inflate.h"

namespace writ::bot {
namespace {

using router::Json;

// `application/json`, whatever parameters follow: JSON has one encoding only.
bool IsJson(const Request& request) {
  const std::string* type = request.Header("content-type");
  if (type == nullptr) return false;
  return LowerAscii(TrimBlanks(std::string_view(*type).substr(0, type->find(';')))) ==
         "application/json";
}

Problem TooLarge() { return {ProblemCode::kBodyTooLarge, "A body may have 8 MiB inflated."}; }

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
  Inflated inflated;
  if (name == "gzip") inflated = InflateGzip(request.body);
  if (inflated.fault == InflateFault::kTooLarge) return TooLarge();
  if (inflated.fault == InflateFault::kBroken) {
    return Problem{ProblemCode::kMalformedJson, "The body is not valid gzip."};
  }
  router::JsonParsed parsed = router::ParseJson(name == "gzip" ? inflated.text : request.body);
  if (!parsed.value) return Problem{ProblemCode::kMalformedJson, std::move(parsed.fault)};
  return std::move(*parsed.value);
}

std::variant<std::string, Problem> ReadHookBody(const Request& request) {
  if (!LooksGzipped(request.body)) return request.body;
  Inflated inflated = InflateGzip(request.body);
  switch (inflated.fault) {
    case InflateFault::kNone:
      return std::move(inflated.text);
    case InflateFault::kTooLarge:
      return TooLarge();
    case InflateFault::kBroken:
      break;
  }
  return request.body;
}

}  // namespace writ::bot
