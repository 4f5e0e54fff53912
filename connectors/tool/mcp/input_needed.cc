#include "connectors/tool/mcp/input_needed.h"

#include <cstddef>
#include <utility>

namespace writ::connectors {
namespace {

using router::InputQuestion;
using router::Json;

// More than a person would answer.
constexpr std::size_t kMaxQuestions = 16;

// A form; nullopt where it is anything else. Without a mode it is one.
std::optional<InputQuestion> FormIn(const std::string& key, const Json& request) {
  const Json* params = request.Find("params");
  if (request.TextAt("method") != "elicitation/create" || params == nullptr) return std::nullopt;
  const auto mode = params->StringAt("mode");
  const Json* schema = params->Find("requestedSchema");
  const bool form = !mode || *mode == "form";
  if (!form || schema == nullptr || !schema->IsObject()) return std::nullopt;
  return InputQuestion{key, params->TextAt("message"), *schema};
}

std::string MessageIn(const Json& request) {
  const Json* params = request.Find("params");
  return params == nullptr ? "" : params->TextAt("message");
}

}  // namespace

std::optional<InputRequired> ReadInputRequired(const Json& result) {
  if (result.TextAt("resultType") != "input_required") return std::nullopt;
  InputRequired required;
  required.needed.request_state = result.StringAt("requestState");
  const Json* requests = result.Find("inputRequests");
  const bool asks = requests != nullptr && requests->IsObject() && !requests->object().empty();
  if (!asks) {
    if (required.needed.request_state) required.kind = InputRequired::Kind::kStateOnly;
    return required;
  }
  if (requests->object().size() > kMaxQuestions) return required;
  for (const auto& [key, request] : requests->object()) {
    auto question = FormIn(key, request);
    if (!question) {
      required.message = MessageIn(request);
      return required;
    }
    required.needed.questions.push_back(*std::move(question));
  }
  required.kind = InputRequired::Kind::kQuestions;
  return required;
}

}  // namespace writ::connectors
