#include "connectors/model/openai/streamed_calls.h"

#include <optional>

#include "connectors/model/openai/reply.h"
#include "connectors/model/request_body.h"

namespace writ::connectors {

using router::Json;

StreamedCalls::Call& StreamedCalls::CallFor(const Json& piece, const std::string& id,
                                            const std::string& name) {
  const std::optional<std::int64_t> index = piece.IntAt("index");
  std::optional<std::size_t> known;
  if (!index) {
    if (!calls_.empty()) known = calls_.size() - 1;
  } else if (const auto found = newest_.find(*index); found != newest_.end()) {
    known = found->second;
  }
  if (known) {
    const Call& call = calls_[*known];
    const bool other_id = !id.empty() && !call.id.empty() && id != call.id;
    const bool other_name = !name.empty() && !call.name.empty() && name != call.name;
    const bool after_a_whole_one = !name.empty() && id.empty() && call.arguments.ends_with('}') &&
                                   IsObjectText(call.arguments);
    if (!other_id && !other_name && !after_a_whole_one) return calls_[*known];
  }
  if (index) newest_[*index] = calls_.size();
  return calls_.emplace_back();
}

std::size_t StreamedCalls::Take(const Json& piece) {
  const Json* function = piece.Find("function");
  const std::string id = piece.TextAt("id");
  const std::string name = function == nullptr ? "" : function->TextAt("name");
  const std::size_t before = calls_.size();
  Call& call = CallFor(piece, id, name);
  if (call.id.empty()) call.id = id;
  if (call.name.empty()) call.name = name;
  const std::string arguments = function == nullptr ? "" : OpenAiArgumentsOf(*function);
  call.arguments += arguments;
  return arguments.size() + (calls_.size() - before) * (sizeof(Call) + id.size() + name.size());
}

Json StreamedCalls::Whole() const {
  Json whole = Json::MakeArray();
  for (const Call& call : calls_) {
    whole.Push(Json::MakeObject(
        {{"id", call.id},
         {"type", "function"},
         {"function", Json::MakeObject({{"name", call.name}, {"arguments", call.arguments}})}}));
  }
  return whole;
}

}  // namespace writ::connectors
