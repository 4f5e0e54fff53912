#include "router/base/text.h"
#include "tests/support/platforms/slack_emulator.h"

namespace writ::tests {

using router::Json;

namespace {

std::size_t LengthAt(const Json& object, std::string_view key) {
  return router::CountCharacters(object.TextAt(key));
}

bool IsText(const Json* text, std::size_t longest, bool plain) {
  if (text == nullptr || !text->IsObject()) return false;
  const std::string type = text->TextAt("type");
  if (type != "plain_text" && (plain || type != "mrkdwn")) return false;
  const std::size_t length = LengthAt(*text, "text");
  return length > 0 && length <= longest;
}

bool IsButton(const Json& element, std::set<std::string>& actions) {
  return element.TextAt("type") == "button" && IsText(element.Find("text"), 75, true) &&
         LengthAt(element, "value") <= 2000 && LengthAt(element, "action_id") <= 255 &&
         actions.insert(element.TextAt("action_id")).second;
}

bool IsBlock(const Json& block) {
  const std::string type = block.TextAt("type");
  if (type == "section") return IsText(block.Find("text"), 3000, false);
  const Json* elements = block.Find("elements");
  if (elements == nullptr || !elements->IsArray() || elements->array().empty()) return false;
  if (type == "context") {
    for (const Json& element : elements->array()) {
      if (!IsText(&element, 3000, false)) return false;
    }
    return elements->array().size() <= 10;
  }
  std::set<std::string> actions;
  for (const Json& element : elements->array()) {
    if (!IsButton(element, actions)) return false;
  }
  return type == "actions" && elements->array().size() <= 25;
}

}  // namespace

std::string SlackFaultOf(const std::string& text, const Json& blocks) {
  if (!blocks.IsArray()) return "invalid_blocks_format";
  if (router::Trim(text).empty() && blocks.array().empty()) return "no_text";
  if (router::CountCharacters(text) > 40000) return "msg_too_long";
  if (blocks.array().size() > 50) return "invalid_blocks";
  for (const Json& block : blocks.array()) {
    if (!IsBlock(block)) return "invalid_blocks";
  }
  if (router::CountCharacters(blocks.Dump()) > 13000) return "msg_blocks_too_long";
  return "";
}

std::string SlackFaultOfView(const Json& view) {
  const Json* blocks = view.Find("blocks");
  const bool is_modal = view.TextAt("type") == "modal" && IsText(view.Find("title"), 24, true) &&
                        IsText(view.Find("submit"), 24, true) &&
                        IsText(view.Find("close"), 24, true) &&
                        LengthAt(view, "private_metadata") <= 3000 && blocks != nullptr &&
                        blocks->IsArray() && blocks->array().size() == 1;
  if (!is_modal) return "invalid_arguments";
  const Json& input = blocks->array().front();
  const Json* element = input.Find("element");
  const bool is_input = input.TextAt("type") == "input" &&
                        IsText(input.Find("label"), 2000, true) && element != nullptr &&
                        element->TextAt("type") == "plain_text_input" &&
                        LengthAt(*element, "initial_value") <= 3000 &&
                        element->IntAt("max_length").value_or(0) <= 3000;
  const Json* hint = input.Find("hint");
  return is_input && (hint == nullptr || IsText(hint, 2000, true)) ? "" : "invalid_arguments";
}

}  // namespace writ::tests
