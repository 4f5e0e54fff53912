#include "connectors/model/anthropic/reply.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "connectors/model/raw_reply.h"
#include "connectors/model/reply_stream.h"
#include "connectors/model/tokens.h"
#include "connectors/model/transcript.h"

namespace writ::connectors {
namespace {

using router::Json;
using router::ModelReply;

constexpr std::string_view kDialect = "anthropic";
// Deeper than arguments may be: whether those are too deep is for the gate to say.
constexpr router::JsonLimits kReplyLimits{512};

ModelReply::Stop StopOf(std::string_view stop_reason) {
  if (stop_reason == "refusal") return ModelReply::Stop::kRefused;
  if (stop_reason == "max_tokens" || stop_reason == "model_context_window_exceeded") {
    return ModelReply::Stop::kCutOff;
  }
  return ModelReply::Stop::kEnd;  // end_turn, tool_use, stop_sequence and whatever comes next
}

// What was read from a cache, or written to it, was read by the model all the same.
router::ModelUsage UsageIn(const Json& message) {
  router::ModelUsage usage;
  const Json* counted = message.Find("usage");
  if (counted == nullptr) return usage;
  for (const char* key :
       {"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"}) {
    usage.input_tokens += TokensAt(*counted, key);
  }
  usage.output_tokens = TokensAt(*counted, "output_tokens");
  return usage;
}

// Reads the content one block after the other.
class ContentReader {
 public:
  void Take(const Json& block) {
    const std::string type = block.TextAt("type");
    if (type == "text") return TakeText(block);
    if (type == "tool_use" && !TakeCall(block)) return;
    kept_.Push(block);
    after_text_ = false;
  }

  [[nodiscard]] std::size_t calls_left_out() const { return calls_left_out_; }

  // Such a block may be incomplete where the limit ended the reply.
  [[nodiscard]] bool EndsInACall() const {
    return !kept_.array().empty() && kept_.array().back().TextAt("type") == "tool_use";
  }

  ModelReply Finish(const std::string& model) {
    reply_.raw = WrapRaw(kDialect, model, std::move(kept_));
    return std::move(reply_);
  }

 private:
  // Blocks side by side are one text. An empty one is never kept: sent back it is refused.
  void TakeText(const Json& block) {
    const std::string text = block.TextAt("text");
    if (IsBlank(text)) return;
    if (!reply_.text.empty() && !after_text_) reply_.text += "\n\n";
    reply_.text += text;
    kept_.Push(block);
    after_text_ = true;
  }

  bool TakeCall(const Json& block) {
    if (reply_.calls.size() == kMaxCalls) {
      ++calls_left_out_;
      return false;
    }
    const Json* input = block.Find("input");
    reply_.calls.push_back(
        {block.TextAt("id"), block.TextAt("name"), input == nullptr ? "{}" : input->Dump()});
    return true;
  }

  ModelReply reply_;
  Json kept_ = Json::MakeArray();
  bool after_text_ = false;
  std::size_t calls_left_out_ = 0;
};

}  // namespace

std::optional<Dialect::Read> ReadAnthropicReply(const std::string& model, const std::string& body) {
  const router::JsonParsed parsed = router::ParseJson(body, kReplyLimits);
  return parsed.value ? ReadAnthropicMessage(model, *parsed.value) : std::nullopt;
}

std::optional<Dialect::Read> ReadAnthropicMessage(const std::string& model, const Json& message) {
  const Json* content = message.Find("content");
  if (content == nullptr || !content->IsArray()) return std::nullopt;
  ContentReader reader;
  for (const Json& block : content->array()) reader.Take(block);
  const ModelReply::Stop stop = StopOf(message.TextAt("stop_reason"));
  Dialect::Read read;
  read.cut_call = stop == ModelReply::Stop::kCutOff && reader.EndsInACall();
  read.calls_left_out = reader.calls_left_out();
  read.reply = reader.Finish(model);
  read.reply.stop = stop;
  read.reply.usage = UsageIn(message);
  // Something else was cut: the calls before it are whole.
  if (stop == ModelReply::Stop::kCutOff && !read.cut_call && !read.reply.calls.empty()) {
    read.reply.stop = ModelReply::Stop::kEnd;
  }
  // What was begun before it was declined is not to be run, and not to be taken for all of it.
  if (stop == ModelReply::Stop::kRefused) {
    read.reply.calls.clear();
    if (!IsBlank(read.reply.text)) read.reply.stop = ModelReply::Stop::kFiltered;
  }
  return read;
}

const Json* AnthropicContentIn(const Json& raw, const std::string& model) {
  return UnwrapRaw(raw, kDialect, model);
}

}  // namespace writ::connectors
