#include "connectors/chat/slack/modal.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "connectors/chat/slack/blocks.h"
#include "connectors/chat/slack/intake.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::size_t kLongestTitle = 24;
constexpr std::size_t kLongestLabel = 2000;

Json Words(std::string_view text, std::size_t longest) {
  return Json::MakeObject(
      {{"type", "plain_text"}, {"text", router::FirstCharacters(text, longest)}, {"emoji", false}});
}

void Write(const Json& value, std::size_t depth, std::string& text) {
  const bool has_parts =
      (value.IsObject() && !value.object().empty()) || (value.IsArray() && !value.array().empty());
  if (!has_parts) {
    text += value.Dump();
    return;
  }
  const std::string indent = '\n' + std::string(2 * depth + 2, ' ');
  text += value.IsObject() ? '{' : '[';
  bool is_first = true;
  const auto part = [&](std::string_view key, const Json& of) {
    text.append(is_first ? "" : ",").append(indent).append(key);
    is_first = false;
    Write(of, depth + 1, text);
  };
  if (value.IsObject()) {
    for (const auto& [key, of] : value.object()) part(Json(key).Dump() + ": ", of);
  } else {
    for (const Json& of : value.array()) part("", of);
  }
  text += '\n' + std::string(2 * depth, ' ') + (value.IsObject() ? '}' : ']');
}

}  // namespace

Json SlackForm(const router::ApprovalId& approval, const std::string& text,
               const SlackFormWords& words) {
  Json element = Json::MakeObject({{"type", "plain_text_input"},
                                   {"action_id", kSlackEditField},
                                   {"multiline", true},
                                   {"initial_value", text},
                                   {"max_length", static_cast<int>(kSlackField)}});
  Json input = Json::MakeObject({{"type", "input"},
                                 {"block_id", kSlackEditBlock},
                                 {"label", Words(words.label, kLongestLabel)},
                                 {"element", std::move(element)}});
  if (!words.hint.empty()) input.Set("hint", Words(words.hint, kLongestLabel));
  Json blocks = Json::MakeArray();
  blocks.Push(std::move(input));
  return Json::MakeObject({{"type", "modal"},
                           {"callback_id", kSlackEdit},
                           {"private_metadata", approval.text()},
                           {"title", Words(words.title, kLongestTitle)},
                           {"submit", Words(words.submit, kLongestTitle)},
                           {"close", Words(words.close, kLongestTitle)},
                           {"blocks", std::move(blocks)}});
}

std::optional<std::string> EditableText(const Json& arguments) {
  std::string text;
  Write(arguments, 0, text);
  if (router::CountCharacters(text) <= kSlackField) return text;
  text = arguments.Dump();
  if (router::CountCharacters(text) <= kSlackField) return text;
  return std::nullopt;
}

}  // namespace writ::connectors
