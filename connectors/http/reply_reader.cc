#include "connectors/http/reply_reader.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "connectors/http/ascii.h"

namespace writ::connectors {
namespace {

constexpr std::string_view kEndsLines("\r\n\0", 3);

}  // namespace

bool ReplyReader::TakeHeaderLine(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaderBytes) return Stop(State::kTooLarge);
  if (head_complete_) return true;  // a trailer
  if (line.starts_with("HTTP/")) {
    TakeStatusLine(line);
    return true;
  }
  const std::string_view content = WithoutBlanks(line);
  if (content.empty()) {
    EndHead();
    return true;
  }
  const std::size_t colon = line.find(':');
  // A line that begins with a blank continues the one before it: long forbidden, and ignored here.
  if (colon == std::string_view::npos || line.front() == ' ' || line.front() == '\t') return true;
  if (response_.headers.size() == kMaxHeaders) return Stop(State::kTooLarge);
  const std::string_view name = WithoutBlanks(line.substr(0, colon));
  if (name.find_first_of(kEndsLines) != std::string_view::npos) return true;  // nobody's name
  std::string value(WithoutBlanks(line.substr(colon + 1)));
  // Some take a lone CR for the end of a line, and values of replies go into requests and logs.
  // source: RFC 9110, 5.5
  std::ranges::replace_if(
      value, [](char c) { return kEndsLines.find(c) != std::string_view::npos; }, ' ');
  response_.headers.emplace_back(InLowerCase(name), std::move(value));
  return true;
}

// A new status line begins a new head: what came before it was interim.
void ReplyReader::TakeStatusLine(std::string_view line) {
  response_.headers.clear();
  response_.status = 0;
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return;
  std::from_chars(line.data() + blank + 1, line.data() + line.size(), response_.status);
}

void ReplyReader::EndHead() {
  if (response_.status < 200) return;
  head_complete_ = true;
  if (request_.on_headers) request_.on_headers(response_.status, response_.headers);
}

bool ReplyReader::TakeBody(std::string_view bytes) {
  if (request_.on_data && !streams()) return TakeErrorBody(bytes);
  if (bytes.size() > request_.max_response_bytes - body_bytes_) return Stop(State::kTooLarge);
  body_bytes_ += bytes.size();
  if (!streams()) {
    response_.body.append(bytes);
    return true;
  }
  return request_.on_data(bytes) || Stop(State::kEnough);
}

// What a refusal says at length takes nothing from its being one.
bool ReplyReader::TakeErrorBody(std::string_view bytes) {
  const std::size_t limit = std::min(request_.max_response_bytes, kMaxErrorBytes);
  response_.body.append(bytes.substr(0, limit - response_.body.size()));
  return response_.body.size() < limit || Stop(State::kEnough);
}

bool ReplyReader::streams() const {
  return request_.on_data && response_.status >= 200 && response_.status < 300;
}

}  // namespace writ::connectors
