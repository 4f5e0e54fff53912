#include "connectors/chat/slack/mrkdwn.h"

#include <algorithm>

#include "router/base/text.h"

namespace writ::connectors {
namespace {

// How a reference looks to people; `inner` stands between the angle brackets.
std::string ReferenceText(std::string_view inner) {
  const std::size_t bar = std::min(inner.find('|'), inner.size());
  const std::string_view target = inner.substr(0, bar);
  const std::string_view label = inner.substr(std::min(bar + 1, inner.size()));
  if (target.starts_with('@') || target.starts_with('#')) {
    return std::string(target.substr(0, 1)).append(label.empty() ? target.substr(1) : label);
  }
  if (target.starts_with('!')) {
    if (!label.empty()) return std::string(label);
    return '@' + std::string(target.substr(1, target.find('^', 1) - 1));
  }
  if (label.empty() || label == target) return std::string(target);
  return std::string(label).append(" (").append(target).append(")");
}

std::string Unescape(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    if (text.starts_with("&lt;")) {
      plain += '<';
      text.remove_prefix(4);
    } else if (text.starts_with("&gt;")) {
      plain += '>';
      text.remove_prefix(4);
    } else if (text.starts_with("&amp;")) {
      plain += '&';
      text.remove_prefix(5);
    } else {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  return plain;
}

// Where a piece of at most `longest` bytes ends, which hold as many characters or fewer: behind the
// last line end, else the last blank, else wherever no escape or character is cut.
std::size_t EndOfPiece(std::string_view text, std::size_t longest) {
  const std::string_view most = router::FirstCharacters(text, longest);
  if (most.size() == text.size()) return text.size();
  for (const char parting : {'\n', ' '}) {
    const std::size_t at = most.rfind(parting);
    if (at != std::string_view::npos && at + 1 > most.size() / 2) return at + 1;
  }
  constexpr std::size_t kLongestEscape = 5;
  const std::size_t escape = most.rfind('&');
  const bool is_cut = escape != std::string_view::npos && escape > 0 &&
                      most.size() - escape < kLongestEscape &&
                      most.find(';', escape) == std::string_view::npos;
  return is_cut ? escape : most.size();
}

// How long the words are that stand in bold (`**words**`) at the beginning of `text`; 0: none do.
std::size_t BoldAt(std::string_view text) {
  if (!text.starts_with("**") || text.size() < 5 || text[2] == ' ' || text[2] == '*') return 0;
  const std::size_t end = text.find("**", 2);
  const std::size_t line = text.find('\n');
  if (end == std::string_view::npos || end > line || text[end - 1] == ' ') return 0;
  return end - 2;
}

}  // namespace

std::string EscapeSlack(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char character : text) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

std::string MrkdwnOf(std::string_view markdown) {
  const std::string escaped = EscapeSlack(markdown);
  std::string_view rest = escaped;
  std::string text;
  text.reserve(escaped.size());
  bool in_code = false;
  while (!rest.empty()) {
    if (rest.front() == '`') in_code = !in_code;  // a fence of three ends as one does
    const std::size_t bold = in_code ? 0 : BoldAt(rest);
    if (bold > 0) {
      text.append("*").append(rest.substr(2, bold)).append("*");
      rest.remove_prefix(bold + 4);
    } else {
      text += rest.front();
      rest.remove_prefix(1);
    }
  }
  return text;
}

std::string PlainTextOf(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('<'), text.size());
    plain += text.substr(0, open);
    text.remove_prefix(open);
    const std::size_t close = text.find('>');
    if (close == std::string_view::npos) {
      plain += text;
      break;
    }
    plain += ReferenceText(text.substr(1, close - 1));
    text.remove_prefix(close + 1);
  }
  return Unescape(plain);
}

std::string_view WithoutMentionOf(std::string_view bot, std::string_view text) {
  const std::string_view trimmed = router::Trim(text);
  const std::string mention = "<@" + std::string(bot);
  if (bot.empty() || !trimmed.starts_with(mention)) return text;
  std::string_view rest = trimmed.substr(mention.size());
  if (!rest.starts_with('>') && !rest.starts_with('|')) return text;
  rest.remove_prefix(std::min(rest.find('>'), rest.size() - 1) + 1);
  return router::Trim(rest);
}

std::vector<std::string> PiecesOf(std::string_view escaped, std::size_t longest) {
  std::vector<std::string> pieces;
  while (!escaped.empty()) {
    const std::size_t end = EndOfPiece(escaped, longest);
    pieces.emplace_back(escaped.substr(0, end));
    escaped.remove_prefix(end);
  }
  return pieces;
}

}  // namespace writ::connectors
