#include "connectors/tool/mcp/modern_error.h"

#include <algorithm>

namespace writ::connectors {

using router::Json;

std::int64_t ErrorCodeOf(const McpAnswer& answer) {
  const bool error =
      answer.kind == McpAnswer::Kind::kError || answer.kind == McpAnswer::Kind::kStatus;
  if (!error || !answer.payload.IsObject()) return 0;
  return answer.payload.IntAt("code").value_or(0);
}

bool IsModernError(const McpAnswer& answer) {
  const std::int64_t code = ErrorCodeOf(answer);
  return code == kHeaderMismatch || code == kMissingCapability || code == kUnsupportedVersion;
}

bool NamesVersion(const McpAnswer& answer, std::string_view version) {
  if (ErrorCodeOf(answer) != kUnsupportedVersion) return false;
  const Json* data = answer.payload.Find("data");
  const Json* supported = data == nullptr ? nullptr : data->Find("supported");
  return supported != nullptr && supported->IsArray() &&
         std::ranges::any_of(supported->array(),
                             [&](const Json& one) { return one == Json(version); });
}

}  // namespace writ::connectors
