#include "connectors/chat/twilio/sms_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "router/base/text.h"

namespace writ::connectors {
namespace {

// In capitals and without blanks; a phone's keyboard likes to put a full stop at the end.
std::string Plain(std::string_view text) {
  constexpr std::string_view kNoBreak = "\u00a0";
  std::string plain;
  while (!text.empty()) {
    if (text.starts_with(kNoBreak)) {
      text.remove_prefix(kNoBreak.size());
      continue;
    }
    const char c = text.front();
    text.remove_prefix(1);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    plain += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  if (plain.ends_with('.')) plain.pop_back();
  return plain;
}

template <std::size_t kCount>
bool IsOneOf(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool IsAllDigits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// How many bytes of `text` are at most `longest` UTF-16 units.
std::size_t BytesWithin(std::string_view text, std::size_t longest) {
  constexpr unsigned char kFourBytes = 0xf0;
  std::size_t units = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte & 0xc0U) == 0x80U) continue;  // within a character
    units += byte >= kFourBytes ? 2 : 1;
    if (units > longest) return at;
  }
  return text.size();
}

}  // namespace

std::optional<CarrierWord> CarrierWordOf(std::string_view text) {
  constexpr std::array<std::string_view, 8> kStopWords{"STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL",
                                                       "END",  "QUIT",    "REVOKE",      "OPTOUT"};
  constexpr std::array<std::string_view, 2> kStartWords{"START", "UNSTOP"};
  constexpr std::array<std::string_view, 2> kHelpWords{"HELP", "INFO"};
  const std::string word = Plain(text);
  if (IsOneOf(kStopWords, word)) return CarrierWord::kStop;
  if (IsOneOf(kStartWords, word)) return CarrierWord::kStart;
  if (IsOneOf(kHelpWords, word)) return CarrierWord::kHelp;
  if (word == "YES") return CarrierWord::kYes;
  return std::nullopt;
}

std::optional<SmsAnswer> SmsAnswerOf(std::string_view text) {
  constexpr std::string_view kAllow = "APPROVE";
  constexpr std::string_view kDecline = "DENY";
  constexpr std::size_t kLongest = 60;  // whatever is longer says more than that
  if (text.size() > kLongest) return std::nullopt;
  const std::string plain = Plain(text);
  const bool allowed = plain.starts_with(kAllow);
  if (!allowed && !plain.starts_with(kDecline)) return std::nullopt;
  const std::string code = plain.substr(allowed ? kAllow.size() : kDecline.size());
  if (!IsAllDigits(code)) return std::nullopt;
  return SmsAnswer{allowed, code};
}

std::vector<std::string> SmsPiecesOf(std::string_view text, std::size_t longest) {
  std::vector<std::string> pieces;
  text = router::Trim(text);
  while (!text.empty()) {
    std::size_t end = BytesWithin(text, longest);
    if (end < text.size()) {
      std::size_t border = text.substr(0, end + 1).rfind('\n');
      if (border == std::string_view::npos || border < end / 2) {
        border = text.substr(0, end + 1).rfind(' ');
      }
      if (border != std::string_view::npos && border >= end / 2) end = border;
    }
    pieces.emplace_back(router::Trim(text.substr(0, end)));
    text = router::Trim(text.substr(end));
  }
  return pieces;
}

}  // namespace writ::connectors
