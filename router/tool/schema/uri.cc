#include "router/tool/schema/uri.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace writ::router::schema {
namespace {

struct Parts {
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
};

bool IsScheme(std::string_view text) {
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0) {
    return false;
  }
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '+' && c != '-' && c != '.') {
      return false;
    }
  }
  return true;
}

Parts Parse(std::string_view text) {
  Parts parts;
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && IsScheme(text.substr(0, colon))) {
    parts.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    text.remove_prefix(2);
    const std::size_t end = std::min(text.find_first_of("/?"), text.size());
    parts.authority = text.substr(0, end);
    text.remove_prefix(end);
  }
  const std::size_t mark = text.find('?');
  parts.path = text.substr(0, mark);
  if (mark != std::string_view::npos) {
    parts.query = text.substr(mark + 1);
  }
  return parts;
}

// RFC 3986, section 5.2.4.
std::string RemoveDots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../") || path == "/..") {
      path = path == "/.." ? "/" : path.substr(3);
      out.resize(std::min(out.rfind('/'), out.size()));
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = std::min(path.find('/', 1), path.size());
      out += path.substr(0, end);
      path.remove_prefix(end);
    }
  }
  return out;
}

std::string Merge(const Parts& base, std::string_view path) {
  if (base.authority && base.path.empty()) {
    return "/" + std::string(path);
  }
  const std::size_t slash = base.path.rfind('/');
  const std::size_t kept = slash == std::string_view::npos ? 0 : slash + 1;
  return std::string(base.path.substr(0, kept)) + std::string(path);
}

}  // namespace

SplitUri SplitFragment(std::string_view reference) {
  const std::size_t hash = reference.find('#');
  if (hash == std::string_view::npos) {
    return {reference, {}};
  }
  return {reference.substr(0, hash), reference.substr(hash + 1)};
}

std::string ResolveReference(std::string_view base, std::string_view reference) {
  const Parts from = Parse(base);
  Parts to = Parse(reference);
  std::string path;
  if (to.scheme || to.authority || to.path.starts_with('/')) {
    path = RemoveDots(to.path);
  } else if (to.path.empty()) {
    path = from.path;
    to.query = to.query ? to.query : from.query;
  } else {
    path = RemoveDots(Merge(from, to.path));
  }
  const auto scheme = to.scheme ? to.scheme : from.scheme;
  const auto authority = to.scheme || to.authority ? to.authority : from.authority;
  std::string out;
  if (scheme) {
    (out += *scheme) += ':';
  }
  if (authority) {
    (out += "//") += *authority;
  }
  out += path;
  if (to.query) {
    (out += '?') += *to.query;
  }
  return out;
}

std::optional<std::string> PercentDecode(std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size() || std::isxdigit(static_cast<unsigned char>(text[i + 1])) == 0 ||
        std::isxdigit(static_cast<unsigned char>(text[i + 2])) == 0) {
      return std::nullopt;
    }
    out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
    i += 2;
  }
  return out;
}

}  // namespace writ::router::schema
