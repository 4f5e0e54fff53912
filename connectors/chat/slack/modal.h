#pragma once

#include <optional>
#include <string>

#include "router/base/ids.h"
#include "router/base/json.h"

namespace writ::connectors {

// The words of a form in which somebody edits a call's arguments, or answers its tool's question.
struct SlackFormWords {
  std::string title;
  std::string submit;
  std::string close;
  std::string label;
  std::string hint = {};  // what a tool asks
};

// The form. `text` stands in its one field; it fits (kSlackField).
[[nodiscard]] router::Json SlackForm(const router::ApprovalId& approval, const std::string& text,
                                     const SlackFormWords& words);

// The JSON over several lines, as people edit it; on one line where it does not fit into the field
// so; nullopt where it does not fit at all: nothing is cut that somebody will consent to.
[[nodiscard]] std::optional<std::string> EditableText(const router::Json& arguments);

}  // namespace writ::connectors
