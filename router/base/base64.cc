#include "router/base/base64.h"

#include <algorithm>

#include "router/base/digest.h"

namespace writ::router {

std::string Base64Encode(std::string_view bytes) {
  std::string text = Base64UrlEncode(bytes);
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::optional<std::string> Base64Decode(std::string_view text) {
  if (text.find_first_of("-_") != std::string_view::npos) return std::nullopt;
  if (text.ends_with('=')) {
    if (text.size() % 4 != 0) return std::nullopt;
    text.remove_suffix(text.ends_with("==") ? 2 : 1);
  }
  std::string url(text);
  std::replace(url.begin(), url.end(), '+', '-');
  std::replace(url.begin(), url.end(), '/', '_');
  return Base64UrlDecode(url);
}

}  // namespace writ::router
