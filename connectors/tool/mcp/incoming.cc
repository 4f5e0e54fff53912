#include "connectors/tool/mcp/incoming.h"

#include <string>
#include <utility>

#include "router/base/ill_formed_json.h"

namespace writ::connectors {
namespace {

using router::Json;

// Deeper than a result needs to be, and still bounded.
constexpr router::JsonLimits kLimits{512};

// Megabytes are moved, not copied.
Json Taken(Json* value) { return value == nullptr ? Json() : std::move(*value); }

std::optional<Incoming> ReadOne(Json&& message) {
  if (!message.IsObject()) return std::nullopt;
  Incoming incoming;
  incoming.id = Taken(message.Find("id"));
  if (auto method = message.StringAt("method")) {
    incoming.kind = incoming.id.IsNull() ? Incoming::Kind::kNotification : Incoming::Kind::kRequest;
    incoming.method = *std::move(method);
    incoming.payload = Taken(message.Find("params"));
    return incoming;
  }
  if (Json* error = message.Find("error"); error != nullptr && !error->IsNull()) {
    incoming.kind = Incoming::Kind::kError;
    incoming.payload = std::move(*error);
    return incoming;
  }
  if (Json* result = message.Find("result")) {
    incoming.kind = Incoming::Kind::kResult;
    incoming.payload = std::move(*result);
    return incoming;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Incoming> ReadIncoming(std::string_view text) {
  std::vector<Incoming> messages;
  router::JsonParsed parsed = router::ParseJson(text, kLimits);
  if (!parsed.value) {
    // What is wrong otherwise is not read twice: it may be megabytes.
    const std::string mended = router::WithoutIllFormed(text);
    if (mended != text) parsed = router::ParseJson(mended, kLimits);
  }
  if (!parsed.value) return messages;
  if (!parsed.value->IsArray()) {
    if (auto message = ReadOne(*std::move(parsed.value))) messages.push_back(*std::move(message));
    return messages;
  }
  for (Json& one : parsed.value->array()) {
    if (auto message = ReadOne(std::move(one))) messages.push_back(*std::move(message));
  }
  return messages;
}

std::optional<std::int64_t> AnsweredBy(const Incoming& message) {
  const bool answers =
      message.kind == Incoming::Kind::kResult || message.kind == Incoming::Kind::kError;
  if (!answers || !message.id.IsNumber()) return std::nullopt;
  std::string_view number = message.id.number();
  if (number.ends_with(".0")) number.remove_suffix(2);
  return Json::Number(std::string(number)).ToInt();
}

bool Answers(const Incoming& message, std::int64_t id) {
  switch (message.kind) {
    case Incoming::Kind::kResult:
      return AnsweredBy(message) == id;
    case Incoming::Kind::kError:
      return message.id.IsNull() || AnsweredBy(message) == id;
    case Incoming::Kind::kRequest:
    case Incoming::Kind::kNotification:
      return false;
  }
  return false;
}

std::optional<std::int64_t> ProgressOf(const Incoming& message) {
  const bool tells =
      message.kind == Incoming::Kind::kNotification && message.method == "notifications/progress";
  return tells ? message.payload.IntAt("progressToken") : std::nullopt;
}

}  // namespace writ::connectors
