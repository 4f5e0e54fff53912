#include "bot/client/table.h"

#include <algorithm>

#include "router/base/text.h"

namespace writ::bot {

using router::CountCharacters;
using router::FirstCharacters;

std::string SafeCell(std::string_view text, std::size_t longest) {
  std::string shown = router::ShowInvisible(router::ToUtf8(text));
  const std::size_t count = CountCharacters(shown);
  if (count <= longest) return shown;
  const std::size_t behind = (longest - 1) / 2;
  const std::string_view ahead = FirstCharacters(shown, longest - 1 - behind);
  const std::string_view left_out = FirstCharacters(shown, count - behind);
  return std::string(ahead) + "…" + shown.substr(left_out.size());
}

std::string TableOf(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], CountCharacters(row[i]));
    }
  }
  std::string table;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      table += row[i];
      if (i + 1 < row.size()) table.append(widths[i] - CountCharacters(row[i]) + 2, ' ');
    }
    table += '\n';
  }
  return table;
}

}  // namespace writ::bot
