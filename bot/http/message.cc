#include "bot/http/message.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "bot/http/header_text.h"

namespace writ::bot {
namespace {

constexpr std::size_t kMaxLineBytes = 8192;
// A path may hold a cid of whatever length: it is the API that says that nothing is there.
constexpr std::size_t kMaxRequestLineBytes = 32768;
constexpr std::size_t kMaxHeadBytes = 32768;
constexpr std::size_t kMaxHeaderLines = 100;
constexpr std::size_t kMaxChunkLineBytes = 256;
// Chunk sizes and trailers of an honest sender are a small part of its body.
constexpr std::size_t kMaxFramingBytes = std::size_t{256} << 10;
constexpr std::size_t kMaxBlankLines = 2;

std::optional<std::size_t> ParseSize(std::string_view text, int base) {
  std::size_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

bool IsTargetText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

bool IsTargetForm(std::string_view method, std::string_view target) {
  return target.starts_with('/') || target.starts_with("http://") ||
         target.starts_with("https://") || (method == "OPTIONS" && target == "*");
}

const std::string* FindHeader(const Message& message, std::string_view name) {
  for (const auto& header : message.headers) {
    if (header.first == name) return &header.second;
  }
  return nullptr;
}

}  // namespace

MessageReader::State MessageReader::Read() {
  while (true) {
    bool read = false;
    switch (part_) {
      case Part::kRequestLine:
        read = ReadRequestLine();
        break;
      case Part::kHeaders:
        read = ReadHeader();
        break;
      case Part::kBody:
        read = ReadBody();
        break;
      case Part::kChunkSize:
        read = ReadChunkSize();
        break;
      case Part::kChunk:
        read = ReadChunk();
        break;
      case Part::kChunkEnd:
        read = ReadChunkEnd();
        break;
      case Part::kTrailers:
        read = ReadTrailer();
        break;
      case Part::kDone:
        return State::kComplete;
      case Part::kRefused:
        return State::kRefused;
    }
    if (!read && part_ != Part::kRefused) {
      DropConsumed();
      return State::kNeedsMore;
    }
  }
}

Message MessageReader::Take() {
  Message taken = std::exchange(message_, {});
  part_ = Part::kRequestLine;
  head_bytes_ = header_lines_ = blank_lines_ = body_left_ = framing_bytes_ = 0;
  wants_continue_ = false;
  DropConsumed();
  return taken;
}

bool MessageReader::TakeContinue() {
  const bool waits = part_ == Part::kBody || part_ == Part::kChunkSize;
  return waits && std::exchange(wants_continue_, false);
}

bool MessageReader::IsIdle() const {
  return part_ == Part::kRequestLine && begin_ == buffer_.size();
}

std::size_t MessageReader::BufferedBytes() const {
  return buffer_.capacity() + message_.body.capacity();
}

// Keeps the buffer from growing over a kept connection's life, and an idle one from having any.
void MessageReader::DropConsumed() {
  scanned_ -= std::min(scanned_, begin_);
  if (begin_ == buffer_.size()) {
    std::string().swap(buffer_);  // an assignment would keep the memory
  } else {
    buffer_.erase(0, begin_);
  }
  begin_ = 0;
}

void MessageReader::Refuse(ProblemCode code, std::string detail) {
  refusal_ = Problem{code, std::move(detail)};
  part_ = Part::kRefused;
}

void MessageReader::BodyIsTooLarge() {
  std::string().swap(message_.body);
  message_.body_too_large = true;
  message_.keep_alive = false;  // the rest of the body is still to come
  part_ = Part::kDone;
}

bool MessageReader::NextLine(std::string_view& line, std::size_t max_bytes) {
  const std::size_t end = buffer_.find('\n', std::max(begin_, scanned_));
  const std::size_t size = std::min(end, buffer_.size()) - begin_;
  if (size > max_bytes) {
    Refuse(ProblemCode::kHeadersTooLarge, "A line is too long.");
    return false;
  }
  if (end == std::string::npos) {
    scanned_ = buffer_.size();
    return false;
  }
  if (size == 0 || buffer_[end - 1] != '\r') {
    Refuse(ProblemCode::kMalformedRequest, "A line does not end with CRLF.");
    return false;
  }
  line = std::string_view(buffer_).substr(begin_, size - 1);
  begin_ = scanned_ = end + 1;
  return true;
}

bool MessageReader::ReadRequestLine() {
  std::string_view line;
  if (!NextLine(line, kMaxRequestLineBytes)) return false;
  // Some clients end a body with a line break too many (RFC 9112 2.2).
  if (line.empty() && ++blank_lines_ <= kMaxBlankLines) return true;
  const std::size_t first = std::min(line.find(' '), line.size());
  const std::size_t second = std::min(line.find(' ', first + 1), line.size());
  const std::string_view method = line.substr(0, first);
  const std::string_view target =
      first < second ? line.substr(first + 1, second - first - 1) : std::string_view{};
  const std::string_view version = line.substr(std::min(second + 1, line.size()));
  if (!IsToken(method) || method.size() > 16 || !IsTargetText(target) ||
      !IsTargetForm(method, target) || (version != "HTTP/1.1" && version != "HTTP/1.0")) {
    Refuse(ProblemCode::kMalformedRequest, "The request line is not one of HTTP/1.1.");
    return false;
  }
  message_.method = method;
  message_.target = target;
  message_.version = version;
  part_ = Part::kHeaders;
  return true;
}

bool MessageReader::ReadHeader() {
  std::string_view line;
  if (!NextLine(line, kMaxLineBytes)) return false;
  head_bytes_ += line.size();
  if (head_bytes_ > kMaxHeadBytes || ++header_lines_ > kMaxHeaderLines) {
    Refuse(ProblemCode::kHeadersTooLarge, "The headers are too large or too many.");
    return false;
  }
  if (line.empty()) {
    FinishHead();
  } else {
    AddHeader(line);
  }
  return part_ != Part::kRefused;
}

void MessageReader::AddHeader(std::string_view line) {
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = TrimBlanks(line.substr(std::min(colon + 1, line.size())));
  // A folded line begins with a space, which is no token either.
  if (colon == line.size() || !IsToken(name) || !IsFieldValue(value)) {
    return Refuse(ProblemCode::kMalformedRequest, "A header is malformed.");
  }
  std::string lower = LowerAscii(name);
  for (auto& header : message_.headers) {
    if (header.first != lower) continue;
    if (lower == "host" || lower == "content-length" || lower == "transfer-encoding") {
      return Refuse(ProblemCode::kMalformedRequest,
                    "A header that must be there once is repeated.");
    }
    header.second += (lower == "cookie" ? "; " : ", ") + std::string(value);
    return;
  }
  message_.headers.emplace_back(std::move(lower), value);
}

void MessageReader::FinishHead() {
  const bool is_old = message_.version == "HTTP/1.0";
  if (!is_old && FindHeader(message_, "host") == nullptr) {
    return Refuse(ProblemCode::kMalformedRequest, "The Host header is missing.");
  }
  const std::string* connection = FindHeader(message_, "connection");
  const std::string_view options = connection == nullptr ? std::string_view{} : *connection;
  message_.keep_alive = is_old ? ListHas(options, "keep-alive") && !ListHas(options, "close")
                               : !ListHas(options, "close");
  if (!ReadFraming()) return;
  const std::string* expect = FindHeader(message_, "expect");
  wants_continue_ = !is_old && expect != nullptr && LowerAscii(*expect) == "100-continue";
}

bool MessageReader::ReadFraming() {
  const std::string* length = FindHeader(message_, "content-length");
  const std::string* coding = FindHeader(message_, "transfer-encoding");
  if (coding != nullptr) {
    if (length != nullptr || message_.version == "HTTP/1.0" || LowerAscii(*coding) != "chunked") {
      Refuse(ProblemCode::kMalformedRequest, "The body's length is in doubt.");
      return false;
    }
    part_ = Part::kChunkSize;
    return true;
  }
  // Without either there is no body: a POST like that is complete.
  const auto size = length == nullptr ? std::size_t{0} : ParseSize(*length, 10);
  const bool is_huge = length != nullptr && !size && IsDigits(*length);
  if (!size && !is_huge) {
    Refuse(ProblemCode::kMalformedRequest, "The Content-Length is no number.");
    return false;
  }
  if (is_huge || *size > max_body_bytes_) {
    BodyIsTooLarge();
    return true;
  }
  body_left_ = *size;
  part_ = Part::kBody;
  return true;
}

void MessageReader::TakeUpTo(std::size_t size) {
  const std::size_t taken = std::min(size, buffer_.size() - begin_);
  message_.body.append(buffer_, begin_, taken);
  begin_ += taken;
  body_left_ -= taken;
}

bool MessageReader::ReadBody() {
  TakeUpTo(body_left_);
  if (body_left_ > 0) return false;
  part_ = Part::kDone;
  return true;
}

bool MessageReader::ReadChunkSize() {
  std::string_view line;
  if (!NextLine(line, kMaxChunkLineBytes)) return false;
  framing_bytes_ += line.size() + 4;
  const std::string_view digits = TrimBlanks(line.substr(0, line.find(';')));
  const auto size = ParseSize(digits, 16);
  if (!size || digits.size() > 8 || framing_bytes_ > kMaxFramingBytes || !IsFieldValue(line)) {
    Refuse(ProblemCode::kMalformedRequest, "A chunk's size is malformed.");
    return false;
  }
  if (*size > max_body_bytes_ - message_.body.size()) {
    BodyIsTooLarge();
    return true;
  }
  body_left_ = *size;
  part_ = *size == 0 ? Part::kTrailers : Part::kChunk;
  return true;
}

bool MessageReader::ReadChunk() {
  TakeUpTo(body_left_);
  if (body_left_ > 0) return false;
  part_ = Part::kChunkEnd;
  return true;
}

bool MessageReader::ReadChunkEnd() {
  if (buffer_.size() - begin_ < 2) return false;
  if (std::string_view(buffer_).substr(begin_, 2) != "\r\n") {
    Refuse(ProblemCode::kMalformedRequest, "A chunk is longer than its size.");
    return false;
  }
  begin_ += 2;
  part_ = Part::kChunkSize;
  return true;
}

// Nobody here asked for trailers: they are read and dropped.
bool MessageReader::ReadTrailer() {
  std::string_view line;
  if (!NextLine(line, kMaxLineBytes)) return false;
  framing_bytes_ += line.size() + 2;
  if (framing_bytes_ > kMaxFramingBytes) {
    Refuse(ProblemCode::kHeadersTooLarge, "The trailers are too large.");
    return false;
  }
  if (line.empty()) part_ = Part::kDone;
  return true;
}

}  // namespace writ::bot
