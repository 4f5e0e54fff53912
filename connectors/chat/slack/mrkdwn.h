#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace writ::connectors {

// Text for Slack: `&`, `<` and `>` escaped, so that no word of a person's or a model's becomes a
// mention or a link.
[[nodiscard]] std::string EscapeSlack(std::string_view text);

// The same as mrkdwn: a reply's Markdown as far as Slack has it (`**bold**` is `*bold*`). A link
// stays as it was written, for a label can say anything.
[[nodiscard]] std::string MrkdwnOf(std::string_view markdown);

// What a person wrote, as they see it: escapes undone, `<@U1|anya>` as `@anya`, `<#C1|general>` as
// `#general`, `<https://x|label>` as `label (https://x)`, `<!here>` as `@here`.
[[nodiscard]] std::string PlainTextOf(std::string_view text);
// Without the mention of `bot` that it begins with.
[[nodiscard]] std::string_view WithoutMentionOf(std::string_view bot, std::string_view text);

// Escaped text in pieces of at most `longest` characters, parted at line ends or blanks where that
// can be, never within an escape.
[[nodiscard]] std::vector<std::string> PiecesOf(std::string_view escaped, std::size_t longest);

}  // namespace writ::connectors
