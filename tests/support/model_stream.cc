#include "tests/support/model_stream.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "router/base/text.h"

namespace writ::tests {
namespace {

using router::Json;

constexpr std::size_t kPiece = 5;
// Of a reply of megabytes the pieces are larger: nobody has the time to read a million.
constexpr std::size_t kMostPieces = 2000;

std::vector<std::string> PiecesOf(std::string_view text) {
  std::vector<std::string> pieces;
  const std::size_t longest = std::max(kPiece, text.size() / kMostPieces);
  while (!text.empty()) {
    std::string_view piece = router::CutAtCharacter(text, longest);
    if (piece.empty()) piece = text.substr(0, 1);
    pieces.emplace_back(piece);
    text.remove_prefix(piece.size());
  }
  return pieces;
}

std::string DataOf(const Json& json) { return "data: " + json.Dump() + "\n\n"; }

Json TextsOrNull(const Json* text) { return text == nullptr ? Json() : *text; }

class OpenAiWriter {
 public:
  explicit OpenAiWriter(const Json& body) : id_(body.TextAt("id")) {}

  void Delta(Json delta, Json finish_reason = {}) {
    Json choice = Json::MakeObject({{"index", 0},
                                    {"delta", std::move(delta)},
                                    {"logprobs", Json()},
                                    {"finish_reason", std::move(finish_reason)}});
    Json choices = Json::MakeArray();
    choices.Push(std::move(choice));
    Chunk(std::move(choices), Json());
  }
  void Chunk(Json choices, Json usage) {
    events.push_back(DataOf(Json::MakeObject({{"id", id_},
                                              {"object", "chat.completion.chunk"},
                                              {"choices", std::move(choices)},
                                              {"usage", std::move(usage)}})));
  }
  void Call(std::size_t index, const Json& call) {
    const Json* function = call.Find("function");
    Json begun = call;
    begun.Find("function")->Set("arguments", "");
    Piece(index, std::move(begun));
    for (const std::string& piece : PiecesOf(function->TextAt("arguments"))) {
      Piece(index, Json::MakeObject({{"function", Json::MakeObject({{"arguments", piece}})}}));
    }
  }

  std::vector<std::string> events;

 private:
  void Piece(std::size_t index, Json piece) {
    piece.Set("index", static_cast<std::int64_t>(index));
    Json pieces = Json::MakeArray();
    pieces.Push(std::move(piece));
    Delta(Json::MakeObject({{"tool_calls", std::move(pieces)}}));
  }

  std::string id_;
};

class AnthropicWriter {
 public:
  void Event(const char* type, Json event) {
    event.Set("type", type);
    events.push_back(std::string("event: ") + type + "\n" + DataOf(event));
  }
  void Delta(std::size_t index, Json delta) {
    Event("content_block_delta", Json::MakeObject({{"index", static_cast<std::int64_t>(index)},
                                                   {"delta", std::move(delta)}}));
  }
  void Block(std::size_t index, const Json& block) {
    const std::string type = block.TextAt("type");
    Json begun = block;
    if (type == "text") begun.Set("text", "");
    if (type == "thinking") {
      begun.Set("thinking", "");
      begun.Set("signature", "");
    }
    if (type == "tool_use") begun.Set("input", Json::MakeObject());
    Event("content_block_start", Json::MakeObject({{"index", static_cast<std::int64_t>(index)},
                                                   {"content_block", begun}}));
    Grow(index, block, type);
    Event("content_block_stop", Json::MakeObject({{"index", static_cast<std::int64_t>(index)}}));
  }

  std::vector<std::string> events;

 private:
  void Pieces(std::size_t index, const std::string& text, const char* type, const char* key) {
    for (const std::string& piece : PiecesOf(text)) {
      Delta(index, Json::MakeObject({{"type", type}, {key, piece}}));
    }
  }
  void Grow(std::size_t index, const Json& block, const std::string& type) {
    if (type == "text") Pieces(index, block.TextAt("text"), "text_delta", "text");
    if (type == "thinking") {
      Pieces(index, block.TextAt("thinking"), "thinking_delta", "thinking");
      Delta(index, Json::MakeObject(
                       {{"type", "signature_delta"}, {"signature", block.TextAt("signature")}}));
    }
    if (type == "tool_use") {
      Delta(index, Json::MakeObject({{"type", "input_json_delta"}, {"partial_json", ""}}));
      const Json* input = block.Find("input");
      const std::string text = input->IsString() ? input->string() : input->Dump();
      if (text != "{}") Pieces(index, text, "input_json_delta", "partial_json");
    }
  }
};

}  // namespace

std::vector<std::string> OpenAiEvents(const Json& body) {
  OpenAiWriter writer(body);
  const Json& choice = body.Find("choices")->array().front();
  const Json& message = *choice.Find("message");
  writer.events.emplace_back(": a comment keeps the line alive\n\n");
  writer.Delta(Json::MakeObject({{"role", "assistant"}, {"content", ""}, {"refusal", Json()}}));
  for (const auto& [key, value] : message.object()) {
    if (key == "role" || key == "tool_calls" || !value.IsString()) continue;
    for (const std::string& piece : PiecesOf(value.string())) {
      writer.Delta(Json::MakeObject({{key, piece}}));
    }
  }
  if (const Json* calls = message.Find("tool_calls")) {
    for (std::size_t i = 0; i < calls->array().size(); ++i) writer.Call(i, calls->array()[i]);
  }
  writer.Delta(Json::MakeObject(), choice.TextAt("finish_reason"));
  writer.Chunk(Json::MakeArray(), TextsOrNull(body.Find("usage")));
  writer.events.emplace_back("data: [DONE]\n\n");
  return writer.events;
}

std::vector<std::string> AnthropicEvents(const Json& body) {
  AnthropicWriter writer;
  Json message = body;
  message.Set("content", Json::MakeArray());
  message.Set("stop_reason", Json());
  writer.Event("message_start", Json::MakeObject({{"message", std::move(message)}}));
  writer.Event("ping", Json::MakeObject());
  const Json::Array& content = body.Find("content")->array();
  for (std::size_t i = 0; i < content.size(); ++i) {
    writer.Block(i, content[i]);
    writer.Event("ping", Json::MakeObject());
  }
  writer.Event(
      "message_delta",
      Json::MakeObject({{"delta", Json::MakeObject({{"stop_reason", body.TextAt("stop_reason")}})},
                        {"usage", TextsOrNull(body.Find("usage"))}}));
  writer.Event("message_stop", Json::MakeObject());
  return writer.events;
}

std::string Joined(const std::vector<std::string>& events) {
  std::string all;
  for (const std::string& event : events) all += event;
  return all;
}

}  // namespace writ::tests
