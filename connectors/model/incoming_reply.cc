#include "connectors/model/incoming_reply.h"

#include <utility>

namespace writ::connectors {

IncomingReply::IncomingReply(const Dialect& dialect)
    : dialect_(dialect),
      events_(SseReader::Limits{.line_bytes = kMaxReplyBytes, .event_bytes = kMaxReplyBytes}),
      stream_(dialect.OpenStream()) {}

IncomingReply::~IncomingReply() = default;

const std::string& IncomingReply::text() const { return stream_->text(); }

bool IncomingReply::Take(std::string_view bytes) {
  if (form_ == Form::kUnknown) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return true;  // an empty line says nothing in either form
    // Blanks go here, too: what came in several pieces must not be read otherwise.
    bytes.remove_prefix(first);
    form_ = bytes.front() == '{' ? Form::kWhole : Form::kStream;
  }
  return form_ == Form::kWhole ? TakeWhole(bytes) : TakeEvents(bytes);
}

bool IncomingReply::TakeWhole(std::string_view bytes) {
  is_too_large_ = bytes.size() > kMaxReplyBytes - whole_.size();
  if (!is_too_large_) whole_ += bytes;
  return !is_too_large_;
}

bool IncomingReply::TakeEvents(std::string_view bytes) {
  const SseReader::Progress progress = events_.Feed(bytes, [this](const SseEvent& event) {
    if (event.data.empty()) return true;
    switch (stream_->Take(event.data)) {
      case ReplyStream::Progress::kMore:
        return true;
      case ReplyStream::Progress::kComplete:
        return false;
      case ReplyStream::Progress::kVoid:
        is_void_ = true;
        instead_of_reply_ = event.data;
        return false;
      case ReplyStream::Progress::kTooLarge:
        is_too_large_ = true;
        return false;
    }
    return false;
  });
  if (progress == SseReader::Progress::kTooLarge) is_too_large_ = true;
  return progress == SseReader::Progress::kMore;
}

std::optional<Dialect::Read> IncomingReply::Finish() {
  if (is_void_ || is_too_large_) return std::nullopt;
  if (form_ != Form::kWhole) return stream_->Finish();
  auto read = dialect_.ReadReply(whole_);
  if (!read) instead_of_reply_ = std::move(whole_);
  return read;
}

}  // namespace writ::connectors
