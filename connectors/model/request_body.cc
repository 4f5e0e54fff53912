#include "connectors/model/request_body.h"

namespace writ::connectors {

bool IsObjectText(std::string_view text) {
  const router::JsonParsed parsed = router::ParseJson(text);
  return parsed.value && parsed.value->IsObject();
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
