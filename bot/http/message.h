#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bot/http/problem.h"
#include "bot/http/request.h"

namespace writ::bot {

// One request as it stood on the wire, its framing taken off.
struct Message {
  std::string method;
  std::string target;
  std::string version;  // `HTTP/1.1` or `HTTP/1.0`
  NamedValues headers;  // as Request::headers
  std::string body;
  bool body_too_large = false;
  bool keep_alive = true;  // what the client wants
};

// Collects requests from a connection's bytes without ever waiting. It alone says where a request
// ends (RFC 9112), strictly: two readers that disagree about that are how a request is smuggled
// inside another's body. Lines end with CRLF; a repeated or doubtful Content-Length, one beside
// Transfer-Encoding, and any coding but `chunked` are refused.
class MessageReader {
 public:
  enum class State { kNeedsMore, kComplete, kRefused };

  explicit MessageReader(std::size_t max_body_bytes) : max_body_bytes_(max_body_bytes) {}

  void Append(std::string_view bytes) { buffer_.append(bytes); }

  // Reads on, up to the end of one request. kRefused stays: nothing after it can be trusted.
  State Read();

  // After kComplete, once: the request. What follows it on the connection is kept.
  [[nodiscard]] Message Take();

  // After kRefused.
  [[nodiscard]] const Problem& refusal() const { return refusal_; }

  // Whether the client waits for `100 Continue` before it sends the body. Answers true once.
  [[nodiscard]] bool TakeContinue();

  // Whether nothing of a next request has come.
  [[nodiscard]] bool IsIdle() const;
  // How much memory the unfinished request takes.
  [[nodiscard]] std::size_t BufferedBytes() const;

 private:
  enum class Part {
    kRequestLine,
    kHeaders,
    kBody,
    kChunkSize,
    kChunk,
    kChunkEnd,
    kTrailers,
    kDone,
    kRefused,
  };

  // Each reads one piece of its part; false where more bytes are needed.
  bool ReadRequestLine();
  bool ReadHeader();
  bool ReadBody();
  bool ReadChunkSize();
  bool ReadChunk();
  bool ReadChunkEnd();
  bool ReadTrailer();

  // The next line without its CRLF; false where it is not there yet, or is refused.
  bool NextLine(std::string_view& line, std::size_t max_bytes);
  void AddHeader(std::string_view line);
  void FinishHead();
  bool ReadFraming();  // what the headers say about the body
  void TakeUpTo(std::size_t size);
  void BodyIsTooLarge();
  void Refuse(ProblemCode code, std::string detail);
  void DropConsumed();

  std::size_t max_body_bytes_;
  std::string buffer_;
  std::size_t begin_ = 0;    // of what was not read yet
  std::size_t scanned_ = 0;  // no line ends before here
  Part part_ = Part::kRequestLine;
  Message message_;
  Problem refusal_;
  std::size_t head_bytes_ = 0;
  std::size_t header_lines_ = 0;
  std::size_t blank_lines_ = 0;
  std::size_t body_left_ = 0;      // of the body, or of the chunk
  std::size_t framing_bytes_ = 0;  // of chunk sizes and trailers
  bool wants_continue_ = false;
};

}  // namespace writ::bot
