// Server-sent events, however they are cut into pieces.
#include <string>
#include <vector>

#include "connectors/http/sse_reader.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using connectors::SseReader;

constexpr SseReader::Limits kLimits{.line_bytes = 64, .event_bytes = 100};

struct Came {
  std::vector<std::string> events;
  SseReader::Progress progress = SseReader::Progress::kMore;
  std::string last_event_id;
  friend bool operator==(const Came&, const Came&) = default;
};

Came Read(std::string_view input, std::size_t piece, std::size_t stop_after) {
  SseReader reader(kLimits);
  Came came;
  InPieces(input, piece, [&](std::string_view bytes) {
    came.progress = reader.Feed(bytes, [&](const connectors::SseEvent& event) {
      Require(came.events.size() < stop_after, "nothing comes after the end");
      Require(event.data.size() <= kLimits.event_bytes, "an event has its limit");
      Require(event.id.find('\0') == std::string::npos, "no id holds a NUL");
      came.events.push_back(event.event + '\x01' + event.data + '\x01' + event.id);
      return came.events.size() < stop_after;
    });
  });
  came.last_event_id = reader.last_event_id();
  if (const auto retry = reader.retry()) {
    Require(retry->count() >= 0 && *retry <= std::chrono::hours(24),
            "no wait is longer than a day");
  }
  return came;
}

void Fuzz(std::string_view input) {
  for (const std::size_t stop_after : {std::size_t{1000}, std::size_t{2}}) {
    const Came whole = Read(input, input.size(), stop_after);
    Require(whole == Read(input, 1, stop_after), "pieces of one byte say the same");
    Require(whole == Read(input, 5, stop_after), "pieces of five bytes say the same");
  }
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(sse, writ::fuzz::Fuzz)
