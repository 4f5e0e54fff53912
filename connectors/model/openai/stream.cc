#include "connectors/model/openai/stream.h"

#include <map>
#include <utility>

#include "connectors/model/openai/reply.h"
#include "connectors/model/openai/streamed_calls.h"
#include "router/base/ill_formed_json.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr router::JsonLimits kChunkLimits{512};

bool IsNamed(std::string_view key) {
  return key == "role" || key == "content" || key == "refusal" || key == "tool_calls" ||
         key == "function_call";
}

// Older servers have an error's fields at the top.
bool IsError(const Json& chunk) {
  const Json* error = chunk.Find("error");
  return (error != nullptr && !error->IsNull()) || chunk.TextAt("object") == "error";
}

class OpenAiStream final : public ReplyStream {
 public:
  explicit OpenAiStream(std::string model) : model_(std::move(model)) {}

  Progress Take(std::string_view data) override {
    if (data == "[DONE]") {
      is_done_ = true;
      return Progress::kComplete;
    }
    router::JsonParsed chunk = router::ParseJson(data, kChunkLimits);
    if (!chunk.value) {
      // Some cut the text by its UTF-16 units. Words may lose a character by that, arguments not.
      chunk = router::ParseJson(router::WithoutIllFormed(data), kChunkLimits);
      // Else a piece would be missing in what is put together.
      if (!chunk.value || data.find("_call") != std::string_view::npos) return Progress::kVoid;
    }
    if (IsError(*chunk.value)) return Progress::kVoid;
    if (const Json* usage = chunk.value->Find("usage"); usage != nullptr && usage->IsObject()) {
      usage_ = OpenAiUsageIn(*chunk.value);
    }
    const Json* choices = chunk.value->Find("choices");
    if (choices == nullptr || !choices->IsArray() || choices->array().empty()) {
      return Progress::kMore;
    }
    return TakeChoice(choices->array().front());
  }

  std::optional<Dialect::Read> Finish() override {
    const bool is_whole = !finish_reason_.empty() || (is_done_ && has_begun_ && calls_.empty());
    if (!is_whole) return std::nullopt;
    Json message = Json::MakeObject({{"role", "assistant"}, {"content", Json()}});
    for (auto& [key, value] : others_) message.Set(key, std::move(value));
    for (auto& [key, text] : other_texts_) message.Set(key, std::move(text));
    if (!content_.empty() || calls_.empty()) message.Set("content", std::move(content_));
    if (!refusal_.empty()) message.Set("refusal", std::move(refusal_));
    if (!calls_.empty()) message.Set("tool_calls", calls_.Whole());
    Dialect::Read read = ReadOpenAiMessage(model_, message, finish_reason_);
    read.reply.usage = usage_;
    return read;
  }

 private:
  // Some servers send the whole message in one chunk.
  Progress TakeChoice(const Json& choice) {
    if (IsBrokenOff(choice)) return Progress::kVoid;
    const Json* delta = choice.Find("delta");
    if (delta == nullptr) delta = choice.Find("message");
    if (const auto reason = choice.StringAt("finish_reason"); reason && !reason->empty()) {
      finish_reason_ = *reason;
    }
    if (delta == nullptr || !delta->IsObject()) return Progress::kMore;
    has_begun_ = true;
    std::size_t kept = TakeWords(*delta) + TakeCalls(*delta);
    for (const auto& [key, value] : delta->object()) {
      if (!IsNamed(key) && !value.IsNull()) kept += TakeOther(key, value);
    }
    return Keep(kept) ? Progress::kMore : Progress::kTooLarge;
  }

  std::size_t TakeWords(const Json& delta) {
    const std::string content = OpenAiTextOf(delta.Find("content"));
    const std::string refusal = delta.TextAt("refusal");
    content_ += content;
    refusal_ += refusal;
    Show(content);
    return content.size() + refusal.size();
  }

  std::size_t TakeCalls(const Json& delta) {
    std::size_t kept = 0;
    if (const Json* calls = delta.Find("tool_calls"); calls != nullptr && calls->IsArray()) {
      for (const Json& piece : calls->array()) kept += calls_.Take(piece);
    }
    // The old form: one call, without an id.
    if (const Json* old = delta.Find("function_call"); old != nullptr && old->IsObject()) {
      kept += calls_.Take(Json::MakeObject({{"index", 0}, {"function", *old}}));
    }
    return kept;
  }

  // What a provider adds of its own (`reasoning_content`) goes back as it would have come whole.
  std::size_t TakeOther(const std::string& key, const Json& value) {
    if (value.IsString()) {
      other_texts_[key] += value.string();
      return value.string().size();
    }
    Json& standing = others_[key];
    if (value.IsArray() && standing.IsArray()) {
      for (const Json& entry : value.array()) standing.Push(entry);
    } else {
      standing = value;
    }
    return value.Dump().size();
  }

  const std::string model_;
  std::string content_;
  std::string refusal_;
  std::string finish_reason_;
  StreamedCalls calls_;
  std::map<std::string, std::string> other_texts_;
  std::map<std::string, Json> others_;
  router::ModelUsage usage_;
  bool has_begun_ = false;
  bool is_done_ = false;
};

}  // namespace

std::unique_ptr<ReplyStream> OpenOpenAiStream(std::string model) {
  return std::make_unique<OpenAiStream>(std::move(model));
}

}  // namespace writ::connectors
