#include "router/turn/question.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "router/tool/schema/pointer.h"
#include "router/tool/schema/schema.h"

namespace writ::router {
namespace {

constexpr std::size_t kLongestWords = 1000;
constexpr std::size_t kLongestContent = std::size_t{256} << 10;  // as a call's arguments

void AddLine(ShownText& shown, const std::string& path, std::string_view words) {
  const ShownText value = ShownValue(Json(words), kLongestWords);
  if (!shown.text.empty()) shown.text += '\n';
  shown.text.append(path).append(": ").append(value.text);
  shown.cut = shown.cut || value.cut;
}

// One member that is asked for: its type, whether it has to be there, what the tool says of it.
void AddField(ShownText& shown, const std::string& key, const Json& field, bool needed) {
  std::string words = field.TextAt("type");
  for (const char* about : {"title", "description"}) {
    if (const std::string text = field.TextAt(about); !text.empty()) words += ", " + text;
  }
  if (const Json* choices = field.Find("enum"); choices != nullptr) {
    words += ", one of " + choices->Dump();
  }
  if (!needed) words += " (may be left out)";
  std::string path = "answer";
  AppendKey(path, key);
  AddLine(shown, path, words);
}

bool IsNeeded(const Json& schema, const std::string& key) {
  const Json* required = schema.Find("required");
  return required != nullptr && required->IsArray() &&
         std::ranges::any_of(required->array(), [&](const Json& name) {
           return name.IsString() && name.string() == key;
         });
}

void CheckOne(const Json& schema, const Json* content, const std::string& base,
              std::vector<EditFault>& faults) {
  if (content == nullptr || !content->IsObject()) {
    faults.push_back({base, "must be an object"});
    return;
  }
  const SchemaCompiled compiled = Schema::Compile(schema);
  const SchemaVerdict verdict =
      compiled.schema ? compiled.schema->Validate(*content) : SchemaVerdict{};
  if (!compiled.schema || verdict.kind == SchemaVerdict::Kind::kCannotJudge) {
    faults.push_back({base, "the answer could not be checked"});
    return;
  }
  if (verdict.kind == SchemaVerdict::Kind::kInvalid) {
    for (const SchemaFault& fault : verdict.faults) {
      faults.push_back({base + fault.pointer, fault.text});
    }
  }
  const Json* asked_for = schema.Find("properties");
  for (const JsonMember& member : content->object()) {
    if (asked_for == nullptr || asked_for->Find(member.key) == nullptr) {
      faults.push_back({base + "/" + schema::EscapeToken(member.key), "is not asked for"});
    }
  }
}

}  // namespace

std::string QuestionText(const InputNeeded& needed) {
  Json questions = Json::MakeObject();
  for (const InputQuestion& question : needed.questions) {
    questions.Set(question.key, Json::MakeObject({{"message", question.message},
                                                  {"requestedSchema", question.schema}}));
  }
  return questions.Canonical();
}

bool CanBeAsked(const InputNeeded& needed) {
  return !needed.questions.empty() &&
         std::ranges::all_of(needed.questions, [](const InputQuestion& question) {
           return question.schema.IsObject() && Schema::Compile(question.schema).schema.has_value();
         });
}

ShownText ShownQuestion(const InputNeeded& needed) {
  ShownText shown;
  for (const InputQuestion& question : needed.questions) {
    AddLine(shown, "asks", question.message);
    const Json* fields = question.schema.Find("properties");
    if (fields == nullptr || !fields->IsObject()) continue;
    for (const JsonMember& field : fields->object()) {
      AddField(shown, field.key, field.value, IsNeeded(question.schema, field.key));
    }
  }
  return shown;
}

std::vector<EditFault> CheckContent(const ApprovalRecord& question, const Json& content) {
  if (content.Canonical().size() > kLongestContent) {
    return {{"", "must not be longer than 256 KiB"}};
  }
  const Json asked = ParseJson(question.arguments).value.value_or(Json::MakeObject());
  std::vector<EditFault> faults;
  const Json::Object& questions = asked.object();
  const bool is_one = questions.size() == 1;
  for (const JsonMember& one : questions) {
    const Json* schema = one.value.Find("requestedSchema");
    CheckOne(schema != nullptr ? *schema : Json(), is_one ? &content : content.Find(one.key),
             is_one ? "" : "/" + schema::EscapeToken(one.key), faults);
  }
  if (is_one || !content.IsObject()) return faults;
  for (const JsonMember& member : content.object()) {
    if (asked.Find(member.key) == nullptr) {
      faults.push_back({"/" + schema::EscapeToken(member.key), "is not asked for"});
    }
  }
  return faults;
}

std::optional<InputGiven> AnswerOf(const Call& call) {
  if (!call.question || !call.question->decision) return std::nullopt;
  const Decision& decision = *call.question->decision;
  const Json asked = ParseJson(call.question->arguments).value.value_or(Json::MakeObject());
  const Json content = ParseJson(decision.edited_arguments).value.value_or(Json::MakeObject());
  const bool is_one = asked.object().size() == 1;
  InputGiven given;
  given.responses = Json::MakeObject();
  given.request_state = call.question_state;
  for (const JsonMember& one : asked.object()) {
    Json response = Json::MakeObject({{"action", decision.approved ? "accept" : "decline"}});
    if (decision.approved) {
      const Json* own = is_one ? &content : content.Find(one.key);
      response.Set("content", own != nullptr ? *own : Json::MakeObject());
    }
    given.responses.Set(one.key, std::move(response));
  }
  return given;
}

}  // namespace writ::router
