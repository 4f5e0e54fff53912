#include "connectors/http/sse_reader.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace writ::connectors {
namespace {

// A longer wait than a day is nobody's wish.
constexpr std::int64_t kLongestRetryMs = 86'400'000;

std::optional<std::chrono::milliseconds> ParseRetry(std::string_view value) {
  if (value.empty() || value.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::int64_t ms = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ms);
  if (error == std::errc::result_out_of_range || ms > kLongestRetryMs) ms = kLongestRetryMs;
  return std::chrono::milliseconds(ms);
}

}  // namespace

SseReader::Progress SseReader::Feed(std::string_view bytes, const OnEvent& on_event) {
  while (!bytes.empty() && progress_ == Progress::kMore) {
    if (after_cr_) {
      after_cr_ = false;
      if (bytes.front() == '\n') {
        bytes.remove_prefix(1);
        continue;
      }
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + part.size() > limits_.line_bytes) {
      progress_ = Progress::kTooLarge;
      break;
    }
    line_.append(part);
    if (end == std::string_view::npos) break;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    EndLine(on_event);
  }
  return progress_;
}

void SseReader::EndLine(const OnEvent& on_event) {
  if (first_line_) SkipByteOrderMark();
  if (line_.empty()) {
    Dispatch(on_event);
    return;
  }
  const std::string_view line = line_;
  const std::size_t colon = line.find(':');
  if (colon != 0) {  // a line that begins with one is a comment, sent to keep the connection alive
    std::string_view value;
    if (colon != std::string_view::npos) value = line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    TakeField(line.substr(0, colon), value);
  }
  line_.clear();
}

void SseReader::SkipByteOrderMark() {
  first_line_ = false;
  if (line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
}

void SseReader::TakeField(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (data_.size() + value.size() + 1 > limits_.event_bytes) {
      progress_ = Progress::kTooLarge;
      return;
    }
    if (has_data_) data_.push_back('\n');
    data_.append(value);
    has_data_ = true;
  } else if (name == "event") {
    event_ = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) next_event_id_ = value;
  } else if (name == "retry") {
    if (const auto retry = ParseRetry(value)) retry_ = retry;
  }
}

void SseReader::Dispatch(const OnEvent& on_event) {
  last_event_id_ = next_event_id_;
  if (!has_data_) {
    event_.clear();
    return;
  }
  const SseEvent event{std::move(event_), std::move(data_), last_event_id_};
  event_.clear();
  data_.clear();
  has_data_ = false;
  if (!on_event(event)) progress_ = Progress::kStopped;
}

}  // namespace writ::connectors
