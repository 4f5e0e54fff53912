#include "router/approval/inbox_right.h"

#include <cstddef>

#include "router/base/digest.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::router {
namespace {

constexpr std::string_view kPurpose = "writ inbox right 1";
constexpr std::size_t kBytes = 16;  // beyond any guess, and short enough for a text message

}  // namespace

std::string InboxRightFor(const ApprovalRecord& record, std::string_view api_secret) {
  // As JSON, so that no two records have one text.
  const Json what = Json::Array{record.app.text(), record.id.text(), record.asked.text(),
                                FormatTime(record.expires_at)};
  const std::string key = HmacSha256(api_secret, kPurpose);
  return Base64UrlEncode(HmacSha256(key, what.Canonical()).substr(0, kBytes));
}

bool IsInboxRight(std::string_view right, const ApprovalRecord& record,
                  std::string_view api_secret) {
  if (record.asked.empty() || api_secret.empty()) return false;
  return EqualInConstantTime(right, InboxRightFor(record, api_secret));
}

std::string InboxLinkFor(std::string_view inbox_url, const ApprovalRecord& record,
                         std::string_view api_key, std::string_view api_secret) {
  std::string link(inbox_url);
  link.append("?approval=").append(record.id.text()).append("#key=").append(api_key);
  return link.append("&right=").append(InboxRightFor(record, api_secret));
}

}  // namespace writ::router
