#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/model/dialect.h"

namespace writ::connectors {

// More than any model writes; a reply is read on the thread of all outgoing requests.
inline constexpr std::size_t kMaxReplyBytes = std::size_t{4} << 20;

// More calls than any reply has but one of a model that repeats itself without end. What is beyond
// is neither run nor sent back.
inline constexpr std::size_t kMaxCalls = 128;

// A reply that its provider sends as a stream of events, put together as they come. What comes is
// the same message that the provider would have sent whole. Belongs to one request; one thread at a
// time.
class ReplyStream {
 public:
  enum class Progress {
    kMore,
    kComplete,  // nothing more is wanted
    kVoid,  // the provider broke it off, or what came is no event of its: a reply in part is none
    kTooLarge,
  };

  ReplyStream() = default;
  virtual ~ReplyStream() = default;
  ReplyStream(const ReplyStream&) = delete;
  ReplyStream& operator=(const ReplyStream&) = delete;

  // Takes the data of one event.
  [[nodiscard]] virtual Progress Take(std::string_view data) = 0;

  // What people may be shown of the reply so far. It only grows.
  [[nodiscard]] const std::string& text() const { return text_; }

  // The whole reply, once, after the stream's end; nullopt where the reply's own end has not come.
  [[nodiscard]] virtual std::optional<Dialect::Read> Finish() = 0;

 protected:
  // Counts what is kept. False: too much.
  [[nodiscard]] bool Keep(std::size_t bytes) {
    kept_bytes_ += bytes;
    return kept_bytes_ <= kMaxReplyBytes;
  }
  void Show(std::string_view text) { text_ += text; }

 private:
  std::string text_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace writ::connectors
