#include "connectors/model/error_reply.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::HttpResponse;
using router::Json;

// An identifier of theirs, fit for a log; anything else is dropped.
std::string AsWord(std::string_view text) {
  const bool is_word =
      !text.empty() && text.size() <= 100 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
      });
  return is_word ? std::string(text) : "";
}

struct Told {
  std::vector<std::string> codes;  // every type and code
  std::string message;
};

// Text, or a number at llama.cpp and vLLM.
void AddCode(const Json& holder, std::string_view key, Told& told) {
  if (auto code = holder.StringAt(key)) told.codes.push_back(*std::move(code));
  if (const auto code = holder.IntAt(key)) told.codes.push_back(std::to_string(*code));
}

// `{"error": {…}}`, `{"error": "text"}`, or the fields at the top (older vLLM). `code` is a number
// at some servers.
Told ReadBody(const std::string& body) {
  Told told;
  const router::JsonParsed parsed = router::ParseJson(body);
  if (!parsed.value) return told;
  const Json* error = parsed.value->Find("error");
  if (error != nullptr && error->IsString()) {
    told.message = error->string();
    return told;
  }
  const Json& holder = error != nullptr && error->IsObject() ? *error : *parsed.value;
  AddCode(holder, "code", told);
  AddCode(holder, "type", told);
  if (const Json* details = holder.Find("details")) AddCode(*details, "error_code", told);
  told.message = holder.TextAt("message");
  return told;
}

bool SomeCodeHas(const Told& told, std::string_view part) {
  return std::any_of(told.codes.begin(), told.codes.end(), [part](const std::string& code) {
    return code.find(part) != std::string::npos;
  });
}

// The same status as a rate limit, but the money has run out: waiting does not help.
bool IsAboutMoney(const Told& told) {
  return SomeCodeHas(told, "insufficient_quota") || SomeCodeHas(told, "credit_balance") ||
         SomeCodeHas(told, "spend_limit") || SomeCodeHas(told, "billing");
}

bool MessageHas(const Told& told, std::string_view sign) {
  return told.message.find(sign) != std::string::npos;
}

// Ollama cuts a conversation that is too long without a word, and then misses the question in it.
bool IsOllamasSilentCut(const Told& told) {
  return MessageHas(told, "no user query found in messages");
}

bool MessageSaysTooLong(const Told& told) {
  constexpr std::string_view kSigns[] = {"prompt is too long", "maximum context length",
                                         "exceed context limit", "available context size"};
  return std::any_of(std::begin(kSigns), std::end(kSigns),
                     [&](std::string_view sign) { return MessageHas(told, sign); });
}

bool IsTooLong(int status, const Told& told) {
  if (status == 413 || IsOllamasSilentCut(told)) return true;
  if (SomeCodeHas(told, "context_length_exceeded") ||
      SomeCodeHas(told, "exceed_context_size_error")) {
    return true;
  }
  return status == 400 && MessageSaysTooLong(told);
}

// The status that the error should have had. What says nothing of the kind is like an overload: it
// may pass.
int StatusItShouldHave(const Told& told) {
  for (const std::string& code : told.codes) {
    if (code.size() == 3 && (code[0] == '4' || code[0] == '5')) return std::stoi(code);
  }
  constexpr std::pair<std::string_view, int> kTypes[] = {
      {"invalid_request_error", 400},   {"BadRequestError", 400},
      {"context_length_exceeded", 400}, {"authentication_error", 401},
      {"billing_error", 402},           {"permission_error", 403},
      {"not_found_error", 404},         {"request_too_large", 413},
      {"rate_limit_error", 429},        {"exceed_context_size_error", 400}};
  for (const auto& [type, status] : kTypes) {
    if (SomeCodeHas(told, type)) return status;
  }
  if (told.codes.empty() && MessageSaysTooLong(told)) return 400;
  return 529;
}

bool MayPass(const HttpResponse& response) {
  if (const std::string* asked = response.Header("x-should-retry")) {
    if (*asked == "true") return true;
    if (*asked == "false") return false;
  }
  const int status = response.status;
  return status == 408 || status == 409 || status == 429 || status >= 500;
}

ErrorReply JudgeError(const Told& told, const HttpResponse& response) {
  ErrorReply reply;
  reply.what = "status " + std::to_string(response.status);
  for (const std::string& code : told.codes) {
    if (const std::string word = AsWord(code); !word.empty()) reply.what += " " + word;
  }
  reply.what += RequestIdOf(response);
  if (IsTooLong(response.status, told)) {
    reply.kind = ErrorReply::Kind::kTooLong;
  } else if (!IsAboutMoney(told) && MayPass(response)) {
    reply.kind = ErrorReply::Kind::kPassing;
  }
  return reply;
}

}  // namespace

std::string RequestIdOf(const HttpResponse& response) {
  for (const char* name : {"request-id", "x-request-id"}) {
    const std::string* id = response.Header(name);
    if (id != nullptr && !AsWord(*id).empty()) return " request " + *id;
  }
  return "";
}

ErrorReply ReadErrorReply(const HttpResponse& response) {
  return JudgeError(ReadBody(response.body), response);
}

std::optional<ErrorReply> ReadErrorInSuccess(const std::string& text,
                                             const HttpResponse& response) {
  const Told told = ReadBody(text);
  if (told.codes.empty() && told.message.empty()) return std::nullopt;
  HttpResponse as_error{StatusItShouldHave(told), response.headers, ""};
  std::erase_if(as_error.headers, [](const auto& header) {
    return header.first == "x-should-retry";  // it is about the success
  });
  ErrorReply error = JudgeError(told, as_error);
  error.what = "broken off by the provider: " + error.what;
  return error;
}

}  // namespace writ::connectors
