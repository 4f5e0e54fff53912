#include "connectors/model/anthropic/stream.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "connectors/model/anthropic/reply.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr router::JsonLimits kEventLimits{512};

// A block of the message while it grows.
struct Block {
  Json begun;             // as content_block_start has it
  std::string text;       // of a text
  std::string thinking;   // of a thinking block
  std::string signature;  // comes whole
  std::string input;      // the JSON text of a call's arguments
  Json::Array citations;

  [[nodiscard]] bool IsText() const { return begun.TextAt("type") == "text"; }
};

void Append(Block& block, std::string_view key, const std::string& more) {
  if (!more.empty()) block.begun.Set(key, block.begun.TextAt(key) + more);
}

// The block as it would have come whole. A call's text that is no JSON is for whoever runs the call
// to refuse; its block must be one that may go back.
Json Whole(Block block) {
  Append(block, "text", block.text);
  Append(block, "thinking", block.thinking);
  if (!block.signature.empty()) block.begun.Set("signature", std::move(block.signature));
  if (!block.citations.empty()) block.begun.Set("citations", Json(std::move(block.citations)));
  if (!block.input.empty()) {
    router::JsonParsed input = router::ParseJson(block.input, kEventLimits);
    block.begun.Set("input", input.value ? *std::move(input.value) : Json::MakeObject());
  }
  return std::move(block.begun);
}

class AnthropicStream final : public ReplyStream {
 public:
  explicit AnthropicStream(std::string model) : model_(std::move(model)) {}

  Progress Take(std::string_view data) override {
    router::JsonParsed event = router::ParseJson(data, kEventLimits);
    if (!event.value) return Progress::kVoid;  // a piece would be missing in what is put together
    const std::string type = event.value->TextAt("type");
    if (type == "error" || event.value->Find("error") != nullptr) return Progress::kVoid;
    if (type == "message_start") return Begin(*event.value);
    if (type == "content_block_start") return BeginBlock(*event.value);
    if (type == "content_block_delta") return Grow(*event.value);
    if (type == "message_delta") return End(*event.value);
    if (type != "message_stop") return Progress::kMore;  // ping, and whatever comes next
    is_whole_ = true;
    return Progress::kComplete;
  }

  std::optional<Dialect::Read> Finish() override {
    if (!is_whole_) return std::nullopt;
    Json content = Json::MakeArray();
    std::vector<std::string> arguments;
    for (Block& block : blocks_) {
      if (block.begun.TextAt("type") == "tool_use") arguments.push_back(block.input);
      content.Push(Whole(std::move(block)));
    }
    message_.Set("content", std::move(content));
    auto read = ReadAnthropicMessage(model_, message_);
    if (!read) return std::nullopt;
    // As the model wrote them, broken or not.
    auto& calls = read->reply.calls;
    for (std::size_t i = 0; i < calls.size() && i < arguments.size(); ++i) {
      if (!arguments[i].empty()) calls[i].arguments_text = std::move(arguments[i]);
    }
    return read;
  }

 private:
  Progress Begin(Json& event) {
    Json* message = event.Find("message");
    if (message == nullptr || !message->IsObject() || has_begun_) return Progress::kVoid;
    has_begun_ = true;
    message_ = std::move(*message);
    return Progress::kMore;
  }

  Progress BeginBlock(Json& event) {
    Json* block = event.Find("content_block");
    const auto index = event.IntAt("index");
    if (block == nullptr || !block->IsObject() || !index) return Progress::kVoid;
    newest_[*index] = blocks_.size();
    Block& begun = blocks_.emplace_back();
    begun.begun = std::move(*block);
    if (begun.IsText()) ShowOf(blocks_.size() - 1, begun.begun.TextAt("text"));
    return KeepAll(sizeof(Block) + begun.begun.Dump().size());
  }

  Progress Grow(Json& event) {
    Json* delta = event.Find("delta");
    const auto found = newest_.find(event.IntAt("index").value_or(-1));
    if (delta == nullptr || found == newest_.end()) return Progress::kVoid;
    Block& block = blocks_[found->second];
    const std::string type = delta->TextAt("type");
    std::string piece;
    if (type == "text_delta") {
      piece = delta->TextAt("text");
      block.text += piece;
      ShowOf(found->second, piece);
    } else if (type == "input_json_delta") {
      block.input += piece = delta->TextAt("partial_json");
    } else if (type == "thinking_delta") {
      block.thinking += piece = delta->TextAt("thinking");
    } else if (type == "signature_delta") {
      block.signature = piece = delta->TextAt("signature");
    } else if (type == "citations_delta") {
      Json* citation = delta->Find("citation");
      if (citation == nullptr) return Progress::kMore;
      piece = citation->Dump();
      block.citations.push_back(std::move(*citation));
    }
    return KeepAll(piece.size());
  }

  Progress End(Json& event) {
    if (const Json* delta = event.Find("delta"); delta != nullptr && delta->IsObject()) {
      for (const auto& [key, value] : delta->object()) message_.Set(key, value);
    }
    // What is counted at the end counts all of it; the beginning has what the end leaves out.
    const Json* counted = event.Find("usage");
    if (counted == nullptr || !counted->IsObject()) return Progress::kMore;
    if (message_.Find("usage") == nullptr) message_.Set("usage", Json::MakeObject());
    Json* usage = message_.Find("usage");
    if (!usage->IsObject()) *usage = Json::MakeObject();
    for (const auto& [key, value] : counted->object()) {
      if (!value.IsNull()) usage->Set(key, value);
    }
    return Progress::kMore;
  }

  // As in the whole reply: texts side by side are one, others stand apart.
  void ShowOf(std::size_t at, std::string_view piece) {
    if (piece.empty()) return;
    const bool apart = at > 0 && !blocks_[at - 1].IsText();
    if (apart && shown_last_ != at && !text().empty()) Show("\n\n");
    shown_last_ = at;
    Show(piece);
  }

  Progress KeepAll(std::size_t bytes) {
    return Keep(bytes) ? Progress::kMore : Progress::kTooLarge;
  }

  const std::string model_;
  Json message_ = Json::MakeObject();  // without its content
  std::vector<Block> blocks_;          // in the order in which they began
  // The newest block under each index: some gateways number all of them 0.
  std::map<std::int64_t, std::size_t> newest_;
  std::optional<std::size_t> shown_last_;
  bool has_begun_ = false;
  bool is_whole_ = false;
};

}  // namespace

std::unique_ptr<ReplyStream> OpenAnthropicStream(std::string model) {
  return std::make_unique<AnthropicStream>(std::move(model));
}

}  // namespace writ::connectors
