#include "connectors/http/form.h"

#include <algorithm>
#include <charconv>

#include "connectors/http/percent.h"

namespace writ::connectors {
namespace {

// `+` is a space, `%2B` a plus.
std::optional<std::string> Decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+') {
      decoded += ' ';
    } else if (text[at] == '%') {
      unsigned char byte = 0;
      const std::string_view digits = text.substr(at + 1, 2);
      const char* end = digits.data() + digits.size();
      const auto [rest, fault] = std::from_chars(digits.data(), end, byte, 16);
      if (digits.size() != 2 || fault != std::errc{} || rest != end) return std::nullopt;
      decoded += static_cast<char>(byte);
      at += 2;
    } else {
      decoded += text[at];
    }
  }
  return decoded;
}

}  // namespace

std::optional<FormFields> ParseForm(std::string_view body) {
  FormFields fields;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('&'), body.size());
    const std::string_view pair = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    auto name = Decode(pair.substr(0, equals));
    auto value = Decode(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value) return std::nullopt;
    fields.emplace_back(*std::move(name), *std::move(value));
  }
  return fields;
}

std::string FormBody(const FormFields& fields) {
  std::string body;
  for (const auto& [name, value] : fields) {
    if (!body.empty()) body += '&';
    body += PercentEncode(name) + '=' + PercentEncode(value);
  }
  return body;
}

const std::string* FindField(const FormFields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &FormFields::value_type::first);
  return found == fields.end() ? nullptr : &found->second;
}

}  // namespace writ::connectors
