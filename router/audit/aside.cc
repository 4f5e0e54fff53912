#include "router/audit/aside.h"

#include <algorithm>
#include <utility>

#include "router/base/digest.h"

namespace writ::router {
namespace {

constexpr std::string_view kDigest = "aside_digest";
constexpr std::string_view kPhoneId = "sms:+";  // contract section 2

std::string DigestOfAside(const Json& aside) {
  return Sha256Hex("writ audit aside 1\n" + aside.Canonical());
}

bool IsPersonal(const JsonMember& member) {
  if (!member.value.IsString()) return false;
  return member.key == "reason" || HasPhoneNumber(member.value.string());
}

}  // namespace

bool HasPhoneNumber(std::string_view text) { return text.find(kPhoneId) != std::string_view::npos; }

SplitEntry SplitOff(Json entry, const UserId& person, std::string_view salt) {
  SplitEntry split{Json::MakeObject(), Json()};
  if (std::ranges::none_of(entry.object(), IsPersonal)) {
    split.entry = std::move(entry);
    return split;
  }
  split.aside =
      Json::MakeObject({{"salt", salt}, {"person", person.empty() ? Json() : Json(person.text())}});
  for (const JsonMember& member : entry.object()) {
    (IsPersonal(member) ? split.aside : split.entry).Set(member.key, member.value);
  }
  split.entry.Set(kDigest, DigestOfAside(split.aside));
  return split;
}

bool FitsEntry(const Json& aside, const Json& entry) {
  return EqualInConstantTime(DigestOfAside(aside), entry.TextAt(kDigest));
}

bool IsAbout(const Json& aside, const UserId& user) {
  if (user.empty()) return false;
  return std::ranges::any_of(aside.object(), [&](const JsonMember& member) {
    if (!member.value.IsString() || member.key == "salt" || member.key == "reason") return false;
    const std::string& text = member.value.string();
    return text == user.text() || text.ends_with("user:" + user.text());
  });
}

}  // namespace writ::router
