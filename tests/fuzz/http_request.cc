// Requests as they come in: where one ends and the next begins, however they are cut into pieces.
#include <string>
#include <variant>
#include <vector>

#include "bot/http/api_body.h"
#include "bot/http/header_text.h"
#include "bot/http/message.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using bot::MessageReader;
using State = MessageReader::State;

constexpr std::size_t kMaxBody = 200;

void Check(const bot::Message& message) {
  Require(message.body.size() <= kMaxBody, "a body has its limit");
  Require(!message.body_too_large || message.body.empty(), "what is too large is not kept");
  Require(bot::IsToken(message.method), "a method is a token");
  Require(message.target.find_first_of(" \r\n") == std::string::npos, "a target is one word");
  for (std::size_t i = 0; i < message.headers.size(); ++i) {
    const auto& [name, value] = message.headers[i];
    Require(bot::IsToken(name) && bot::LowerAscii(name) == name, "a name is a lower-case token");
    Require(bot::IsFieldValue(value) || value.empty(), "no value ends a line");
    for (std::size_t j = 0; j < i; ++j) {
      Require(message.headers[j].first != name, "each name is there once");
    }
  }
  bot::Request request;
  request.headers = message.headers;
  request.body = message.body;
  const auto body = bot::ReadJsonBody(request);
  const auto* json = std::get_if<router::Json>(&body);
  Require(json == nullptr || router::ParseJson(json->Dump()).value == *json,
          "a body that is taken is JSON");
}

std::string Written(const bot::Message& message) {
  std::string text = message.method + ' ' + message.target + ' ' + message.version + '\n';
  for (const auto& [name, value] : message.headers) {
    text.append(name).append(":").append(value).append("\n");
  }
  text += message.keep_alive ? "keep\n" : "close\n";
  return text + (message.body_too_large ? "too large" : message.body);
}

std::vector<std::string> Read(std::string_view input, std::size_t piece) {
  MessageReader reader(kMaxBody);
  std::vector<std::string> came;
  bool refused = false;
  InPieces(input, piece, [&](std::string_view bytes) {
    if (refused) return;
    reader.Append(bytes);
    State state = reader.Read();
    while (state == State::kComplete) {
      const bot::Message message = reader.Take();
      Check(message);
      came.push_back(Written(message));
      state = reader.Read();
    }
    if (state == State::kRefused) {
      refused = true;
      came.push_back("refused: " + reader.refusal().detail);
      Require(reader.Read() == State::kRefused, "a refusal stays");
    }
  });
  return came;
}

void Fuzz(std::string_view input) {
  const auto whole = Read(input, input.size());
  Require(whole == Read(input, 1), "pieces of one byte say the same");
  Require(whole == Read(input, 11), "pieces of eleven bytes say the same");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(http_request, writ::fuzz::Fuzz)
