#include "connectors/http/request_check.h"

#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "connectors/http/ascii.h"

namespace writ::connectors {
namespace {

bool IsTokenCharacter(char c) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kOthers.find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenCharacter);
}

bool IsControl(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7f;
}

const char* WhyNotHeader(std::string_view name, std::string_view value) {
  if (!IsToken(name)) return "a header's name has a character that is not allowed";
  const bool control =
      std::any_of(value.begin(), value.end(), [](char c) { return IsControl(c) && c != '\t'; });
  if (control) return "a header's value has a line break or another control character";
  const std::string lower = InLowerCase(name);
  if (lower == "content-length" || lower == "transfer-encoding") {
    return "a header would frame the body; that is the client's own";
  }
  return nullptr;
}

std::string Part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return {};
  std::string copy(text);
  curl_free(text);
  return copy;
}

std::variant<Target, BadRequest> ParseTarget(const std::string& text) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return IsControl(c) || c == ' '; })) {
    return BadRequest{"the URL has a blank, a line break or another control character"};
  }
  const std::unique_ptr<CURLU, void (*)(CURLU*)> url(curl_url(), curl_url_cleanup);
  if (!url ||
      curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK) {
    return BadRequest{"the URL is none"};
  }
  const std::string scheme = Part(url.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") {
    return BadRequest{"the URL's scheme is neither http nor https"};
  }
  return Target{scheme + "://" + InLowerCase(Part(url.get(), CURLUPART_HOST)) + ":" +
                Part(url.get(), CURLUPART_PORT)};
}

}  // namespace

std::variant<Target, BadRequest> CheckRequest(const router::HttpRequest& request) {
  if (!IsToken(request.method)) return BadRequest{"the method is none"};
  for (const auto& [name, value] : request.headers) {
    if (const char* why = WhyNotHeader(name, value)) return BadRequest{why};
  }
  return ParseTarget(request.url);
}

}  // namespace writ::connectors
