#include "bot/demo/chat/chat_rules.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bot/demo/chat/chat_record.h"
#include "router/base/text.h"

namespace writ::bot {
namespace {

using router::Json;

// Keys of a message that say who, where and when. Nobody sets them later.
constexpr std::array<std::string_view, 22> kReserved{"id",
                                                     "cid",
                                                     "user",
                                                     "user_id",
                                                     "type",
                                                     "parent_id",
                                                     "created_at",
                                                     "updated_at",
                                                     "deleted_at",
                                                     "html",
                                                     "reply_count",
                                                     "own_reactions",
                                                     "member",
                                                     "latest_reactions",
                                                     "reaction_counts",
                                                     "shadowed",
                                                     "command",
                                                     "mentioned_users",
                                                     "reaction_scores",
                                                     "message_text_updated_at",
                                                     "pinned_at",
                                                     "pinned_by"};
// Built-in keys that are a message's face beside its custom fields.
constexpr std::array<std::string_view, 7> kBuiltIn{"text",
                                                   "attachments",
                                                   "silent",
                                                   "show_in_channel",
                                                   "quoted_message_id",
                                                   "restricted_visibility",
                                                   "pinned"};

bool IsReserved(std::string_view key) {
  return std::ranges::find(kReserved, key) != kReserved.end();
}

ChatError InputError(std::string what) { return {ChatErrorCode::kInput, std::move(what)}; }

// Sets `path`, parts of which are made as objects where they are missing.
bool SetPath(Json& object, std::string_view path, const Json& value) {
  const auto dot = path.find('.');
  if (dot == std::string_view::npos) {
    object.Set(path, value);
    return true;
  }
  const std::string_view key = path.substr(0, dot);
  Json* inner = object.Find(key);
  if (inner == nullptr) {
    object.Set(key, Json::MakeObject());
    inner = object.Find(key);
  }
  return inner->IsObject() && SetPath(*inner, path.substr(dot + 1), value);
}

void UnsetPath(Json& object, std::string_view path) {
  const auto dot = path.find('.');
  if (dot == std::string_view::npos) {
    object = Without(object, path);
    return;
  }
  Json* inner = object.Find(path.substr(0, dot));
  if (inner != nullptr && inner->IsObject()) UnsetPath(*inner, path.substr(dot + 1));
}

std::string_view FirstPart(std::string_view path) { return path.substr(0, path.find('.')); }

bool IsSettable(std::string_view path) {
  const std::string_view key = FirstPart(path);
  return !path.empty() && !path.ends_with('.') && (!IsReserved(key) || key == "mentioned_users");
}

}  // namespace

std::optional<ChatError> FaultOfRequest(const Json& message) {
  const std::string id = message.TextAt("id");
  if (id.size() > 255 || id.find_first_of(",%") != std::string::npos) {
    return InputError("message.id is not a valid id");
  }
  const std::string type = message.TextAt("type");
  if (!type.empty() && type != "regular" && type != "system") {
    return InputError("message.type must be one of [regular system]");
  }
  return std::nullopt;
}

std::optional<ChatError> FaultOfFields(const Json& fields) {
  if (router::CountCharacters(fields.TextAt("text")) > kChatTextCharacters) {
    return ChatError{ChatErrorCode::kTooLong, "message text is longer than 5000"};
  }
  if (const Json* attachments = fields.Find("attachments")) {
    if (!attachments->IsArray()) return InputError("message.attachments must be an array");
    if (attachments->array().size() > kChatAttachments) {
      return InputError("message.attachments must contain a maximum of 30 items");
    }
    if (!std::ranges::all_of(attachments->array(), &Json::IsObject)) {
      return InputError("message.attachments must contain objects");
    }
    if (attachments->Dump().size() > kChatAttachmentBytes) {
      return ChatError{ChatErrorCode::kPayloadTooBig, "attachments are larger than 5KB"};
    }
  }
  Json custom = fields;
  for (const std::string_view key : kBuiltIn) custom = Without(custom, key);
  if (custom.Dump().size() > kChatCustomBytes) {
    return ChatError{ChatErrorCode::kPayloadTooBig, "custom fields are larger than 5KB"};
  }
  if (MentionsOf(fields).size() > kChatMentions) {
    return InputError("message.mentioned_users must contain a maximum of 25 items");
  }
  return std::nullopt;
}

Json FieldsOf(const Json& message) {
  Json fields = Json::MakeObject();
  for (const auto& member : message.object()) {
    if (!IsReserved(member.key)) fields.Set(member.key, member.value);
  }
  return fields;
}

std::vector<std::string> MentionsOf(const Json& object) {
  std::vector<std::string> ids;
  const Json* mentioned = object.Find("mentioned_users");
  if (mentioned == nullptr || !mentioned->IsArray()) return ids;
  for (const Json& user : mentioned->array()) {
    ids.push_back(user.IsString() ? user.string() : user.TextAt("id"));
  }
  return ids;
}

std::variant<Json, ChatError> ApplyPartial(const Json& fields, const Json& update) {
  const Json* set = update.Find("set");
  const Json* unset = update.Find("unset");
  if (set == nullptr && unset == nullptr) return InputError("either set or unset is required");
  Json changed = fields;
  if (set != nullptr) {
    if (!set->IsObject()) return InputError("set must be an object");
    for (const auto& member : set->object()) {
      if (!IsSettable(member.key) || !SetPath(changed, member.key, member.value)) {
        return InputError("set." + member.key + " can not be set");
      }
    }
  }
  if (unset != nullptr) {
    if (!unset->IsArray()) return InputError("unset must be an array");
    for (const Json& path : unset->array()) {
      if (!path.IsString() || !IsSettable(path.string())) return InputError("unset is not valid");
      UnsetPath(changed, path.string());
    }
  }
  return changed;
}

}  // namespace writ::bot
