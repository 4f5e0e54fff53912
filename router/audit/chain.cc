#include "router/audit/chain.h"

#include <algorithm>
#include <charconv>

#include "router/base/digest.h"

namespace writ::router {
namespace {

constexpr std::size_t kMacDigits = 64;

// No part holds a line break, so no two different things are one text.
std::string CheckpointMac(std::string_view secret, std::string_view head,
                          std::string_view made_at) {
  std::string sealed = "writ audit checkpoint 1\n";
  sealed.append(head).append("\n").append(made_at);
  return HmacSha256Hex(secret, sealed);
}

bool IsMac(std::string_view text) {
  return text.size() == kMacDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

std::string SealOf(std::string_view secret, const AppId& app, std::int64_t seal,
                   std::string_view before, std::string_view text) {
  std::string sealed = "writ audit entry 1\n";
  sealed.append(app.text()).append("\n").append(std::to_string(seal)).append("\n");
  sealed.append(before).append("\n").append(text);
  return HmacSha256Hex(secret, sealed);
}

std::string TextOf(const AuditHead& head) {
  return head.app.text() + ':' + std::to_string(head.seal) + ':' + head.mac;
}

std::optional<AuditHead> ReadHead(std::string_view text) {
  const auto mac = text.rfind(':');
  if (mac == std::string_view::npos || mac == 0) return std::nullopt;
  const auto seal = text.rfind(':', mac - 1);
  if (seal == std::string_view::npos || seal == 0) return std::nullopt;
  AuditHead head{AppId(std::string(text.substr(0, seal))), 0, std::string(text.substr(mac + 1))};
  const std::string_view digits = text.substr(seal + 1, mac - seal - 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), head.seal);
  if (error != std::errc() || end != digits.data() + digits.size() || head.seal < 1) {
    return std::nullopt;
  }
  if (!IsMac(head.mac)) return std::nullopt;
  return head;
}

Json MakeCheckpoint(std::string_view secret, const AuditHead& head, TimePoint now) {
  const std::string text = TextOf(head);
  const std::string made_at = FormatTime(now);
  return Json::MakeObject(
      {{"head", text}, {"made_at", made_at}, {"mac", CheckpointMac(secret, text, made_at)}});
}

std::optional<AuditHead> ReadCheckpoint(std::string_view secret, const Json& checkpoint) {
  const std::string head = checkpoint.TextAt("head");
  const std::string mac = CheckpointMac(secret, head, checkpoint.TextAt("made_at"));
  if (!EqualInConstantTime(mac, checkpoint.TextAt("mac"))) return std::nullopt;
  return ReadHead(head);
}

}  // namespace writ::router
