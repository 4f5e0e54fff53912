#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/http/sse_reader.h"
#include "connectors/model/dialect.h"
#include "connectors/model/reply_stream.h"

namespace writ::connectors {

// The body of a success as it comes in: a stream of events, or the whole reply at once from a
// server that was asked to stream and does not. Which it is, its first character tells; the content
// type does not at every server.
class IncomingReply {
 public:
  // dialect  outlives it
  explicit IncomingReply(const Dialect& dialect);
  ~IncomingReply();
  IncomingReply(const IncomingReply&) = delete;
  IncomingReply& operator=(const IncomingReply&) = delete;

  // False: nothing more is wanted.
  [[nodiscard]] bool Take(std::string_view bytes);

  // What people may be shown so far.
  [[nodiscard]] const std::string& text() const;

  // After the body's end, once. nullopt where no whole reply has come.
  [[nodiscard]] std::optional<Dialect::Read> Finish();

  // What came instead of a reply: the event with which the provider broke the stream off, or the
  // whole body. Empty where a stream just ended.
  [[nodiscard]] const std::string& instead_of_reply() const { return instead_of_reply_; }
  [[nodiscard]] bool is_too_large() const { return is_too_large_; }

 private:
  enum class Form { kUnknown, kStream, kWhole };

  bool TakeWhole(std::string_view bytes);
  bool TakeEvents(std::string_view bytes);

  const Dialect& dialect_;
  Form form_ = Form::kUnknown;
  std::string whole_;
  SseReader events_;
  std::unique_ptr<ReplyStream> stream_;
  std::string instead_of_reply_;
  bool is_void_ = false;
  bool is_too_large_ = false;
};

}  // namespace writ::connectors
