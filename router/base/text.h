#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace writ::router {

[[nodiscard]] bool IsUtf8(std::string_view text);

// Replaces what is not UTF-8 by U+FFFD.
[[nodiscard]] std::string ToUtf8(std::string_view text);

// The longest beginning of `text` of at most `max_bytes` that ends at a character boundary.
[[nodiscard]] std::string_view CutAtCharacter(std::string_view text, std::size_t max_bytes);

[[nodiscard]] std::size_t CountCharacters(std::string_view text);  // code points

// The first `count` characters of `text`, or all of it.
[[nodiscard]] std::string_view FirstCharacters(std::string_view text, std::size_t count);

// Without white space (Unicode White_Space) at both ends.
[[nodiscard]] std::string_view Trim(std::string_view text);

// Makes what can't be seen visible: control, format, bidirectional, separator and other invisible
// characters (Cc, Cf, Zl, Zp, tags, letters that draw nothing, spaces other than U+0020), and the
// pictures of control characters, which look like one that was made visible, become
// `\u202e` and the like (`\U000e0041` beyond the BMP; `\n`, `\t` as two characters). The rest is as
// it was.
[[nodiscard]] std::string ShowInvisible(std::string_view text);

// A name fit for a label (contract section 5): a colon, any of ( ) [ ] { } < >, a line break, a
// control or invisible character becomes a space, runs of spaces one, ends are trimmed, at most
// 256 code points.
[[nodiscard]] std::string CleanName(std::string_view name);

// `Anya (user anya-1)`: the label that stands before each person's message. An empty name becomes
// the id; an id with such characters is shown cleaned.
[[nodiscard]] std::string LabelOf(std::string_view name, std::string_view user_id);

}  // namespace writ::router
