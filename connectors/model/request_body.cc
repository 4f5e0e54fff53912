#include "connectors/model/request_body.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "connectors/model/call_ids.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

constexpr std::size_t kMaxQuoted = 2000;

}  // namespace

bool IsObjectText(std::string_view text) {
  const router::JsonParsed parsed = router::ParseJson(text);
  return parsed.value && parsed.value->IsObject();
}

std::string ResultText(const router::ModelCall& call, const router::ToolResult& result) {
  if (!result.is_error || IsObjectText(call.arguments_text)) return result.text;
  router::JsonParsed parsed = router::ParseJson(result.text);
  if (!parsed.value || !parsed.value->StringAt("status")) return result.text;
  parsed.value->Set("arguments_as_written",
                    router::CutAtCharacter(call.arguments_text, kMaxQuoted));
  return parsed.value->Dump();
}

router::Json MessageOf(std::string_view role, router::Json content) {
  return router::Json::MakeObject({{"role", router::Json(role)}, {"content", std::move(content)}});
}

void PushMessages(const std::vector<router::TranscriptEntry>& transcript,
                  const PushRound& push_round, router::Json& messages) {
  const auto ids = CallIdsOf(transcript);
  std::size_t round_at = 0;
  for (const auto& entry : transcript) {
    if (const auto* round = std::get_if<router::CallsRound>(&entry)) {
      push_round(*round, ids[round_at++], messages);
    } else {
      const auto& said = std::get<router::Said>(entry);
      const bool people = said.who == router::Said::Who::kPeople;
      messages.Push(MessageOf(people ? "user" : "assistant", said.text));
    }
  }
}

void MergeExtraBody(const router::Json& extra_body, router::Json& body) {
  if (!extra_body.IsObject()) return;
  for (const auto& [key, value] : extra_body.object()) {
    if (key != "messages" && key != "stream") body.Set(key, value);
  }
}

router::HttpRequest PostOf(const ModelOptions& options, std::string_view default_base,
                           std::string_view path, const router::Json& body) {
  std::string url = options.base_url.empty() ? std::string(default_base) : options.base_url;
  while (url.ends_with('/')) url.pop_back();
  router::HttpRequest request;
  request.method = "POST";
  request.url = url + std::string(path);
  request.headers = {{"content-type", "application/json"}, {"accept", "application/json"}};
  request.body = body.Dump();
  return request;
}

}  // namespace writ::connectors
