#include "router/turn/approval_record.h"

#include <array>

#include "router/base/digest.h"

namespace writ::router {
namespace {

constexpr std::array<std::string_view, 5> kNames{"pending", "approved", "denied", "expired",
                                                 "cancelled"};

}  // namespace

std::string DigestOf(std::string_view canonical_arguments, std::string_view kind,
                     std::string_view tool) {
  // The three keys in canonical order; the arguments' text is canonical already.
  std::string text = R"({"arguments":)";
  text.append(canonical_arguments);
  text += R"(,"kind":)" + Json(kind).Canonical() + R"(,"tool":)" + Json(tool).Canonical() + "}";
  return Sha256Hex(text);
}

std::string MarkOf(std::string_view mark_key, std::string_view canonical_arguments) {
  return HmacSha256Hex(mark_key, canonical_arguments).substr(0, 16);
}

bool IsIntact(const ApprovalRecord& record) {
  if (record.args_digest != DigestOf(record.arguments, record.kind, record.tool)) return false;
  if (!record.decision || record.decision->edited_arguments.empty()) return true;
  return record.decision->edited_digest ==
         DigestOf(record.decision->edited_arguments, record.kind, record.tool);
}

std::string AuthenticatedBy(const Decision& decision) {
  if (!decision.authenticated_by.empty()) return decision.authenticated_by;
  return decision.decided_by.substr(0, decision.decided_by.find(':'));
}

std::string_view NameOf(ApprovalStatus status) {
  return kNames.at(static_cast<std::size_t>(status));
}

std::optional<ApprovalStatus> ApprovalStatusOf(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames.at(i) == name) return static_cast<ApprovalStatus>(i);
  }
  return std::nullopt;
}

}  // namespace writ::router
