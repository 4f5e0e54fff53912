#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace writ::router::schema {

struct SplitUri {
  std::string_view uri;       // without the fragment
  std::string_view fragment;  // without `#`, still percent-encoded
};

[[nodiscard]] SplitUri SplitFragment(std::string_view reference);

// `reference` (without a fragment) as seen from `base`, an absolute URI without a fragment.
// source: RFC 3986, section 5.2
[[nodiscard]] std::string ResolveReference(std::string_view base, std::string_view reference);

// nullopt where a `%` has no two hex digits behind it.
[[nodiscard]] std::optional<std::string> PercentDecode(std::string_view text);

}  // namespace writ::router::schema
