#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace writ::connectors {

struct SseEvent {
  std::string event;  // empty where the stream names none
  std::string data;   // may be empty: MCP's first event often carries an id alone
  std::string id;     // the stream's last event id as of this event
};

// Reads server-sent events from chunks that may be split anywhere, also between \r and \n or inside
// a character. Lines end with \n, \r\n or \r. An event that the stream's end cuts short is dropped.
// source: WHATWG HTML, "Interpreting an event stream".
class SseReader {
 public:
  struct Limits {
    std::size_t line_bytes = std::size_t{8} << 20;
    std::size_t event_bytes = std::size_t{8} << 20;  // data of one event
  };
  enum class Progress {
    kMore,      // ready for the next chunk
    kStopped,   // `on_event` returned false: the rest of the chunk was not read
    kTooLarge,  // a limit was passed: the stream is of no use any more
  };
  // false ends the reading.
  using OnEvent = std::function<bool(const SseEvent&)>;

  SseReader() : SseReader(Limits{}) {}
  explicit SseReader(Limits limits) : limits_(limits) {}

  // Calls `on_event` for each event that `bytes` completes. After kStopped or kTooLarge nothing is
  // read any more and the answer stays the same.
  [[nodiscard]] Progress Feed(std::string_view bytes, const OnEvent& on_event);

  // What Last-Event-ID would carry; set by events without data, too. Empty: there was none.
  [[nodiscard]] const std::string& last_event_id() const { return last_event_id_; }
  // The stream's own wait before a reconnect, if it gave one.
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  void EndLine(const OnEvent& on_event);
  void Dispatch(const OnEvent& on_event);
  void TakeField(std::string_view name, std::string_view value);
  void SkipByteOrderMark();

  Limits limits_;
  Progress progress_ = Progress::kMore;
  std::string line_;
  bool first_line_ = true;
  bool after_cr_ = false;  // a \n that comes next belongs to the line that has ended
  std::string event_;
  std::string data_;
  bool has_data_ = false;
  std::string next_event_id_;
  std::string last_event_id_;
  std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace writ::connectors
