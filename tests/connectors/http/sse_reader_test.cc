#include "connectors/http/sse_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace writ::connectors {
namespace {

using Progress = SseReader::Progress;

struct Read {
  std::vector<std::string> events;  // `event|data|id`
  Progress progress = Progress::kMore;
};

Read Feed(SseReader& reader, std::string_view bytes) {
  Read read;
  read.progress = reader.Feed(bytes, [&](const SseEvent& event) {
    read.events.push_back(event.event + "|" + event.data + "|" + event.id);
    return true;
  });
  return read;
}

std::vector<std::string> EventsOf(std::string_view stream) {
  SseReader reader;
  return Feed(reader, stream).events;
}

using Events = std::vector<std::string>;

TEST(SseReader, LinesEndInAnyOfThreeWays) {
  const Events expected = {"|a\nb|", "|c|"};
  EXPECT_EQ(EventsOf("data: a\ndata: b\n\ndata: c\n\n"), expected);
  EXPECT_EQ(EventsOf("data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n"), expected);
  EXPECT_EQ(EventsOf("data: a\rdata: b\r\rdata: c\r\r"), expected);
  EXPECT_EQ(EventsOf("data: a\r\ndata: b\n\r\ndata: c\r\n\r"), expected);
}

TEST(SseReader, ChunksMayBeSplitAnywhere) {
  const std::string stream =
      "\xEF\xBB\xBF: hello\r\nid: 7\r\nevent: message\r\ndata: caf\xC3\xA9\r\ndata\r\n\r\n"
      "retry: 1500\rdata:x\r\r\ndata: y\n\n";
  const Events expected = {"message|caf\xC3\xA9\n|7", "|x|7", "|y|7"};
  ASSERT_EQ(EventsOf(stream), expected);
  for (std::size_t first = 0; first <= stream.size(); ++first) {
    for (std::size_t second = first; second <= stream.size(); ++second) {
      SseReader reader;
      Events events;
      for (const auto part : {std::string_view(stream).substr(0, first),
                              std::string_view(stream).substr(first, second - first),
                              std::string_view(stream).substr(second)}) {
        for (std::string& event : Feed(reader, part).events) events.push_back(std::move(event));
      }
      ASSERT_EQ(events, expected) << first << " " << second;
      ASSERT_EQ(reader.retry(), std::chrono::milliseconds(1500));
    }
  }
}

TEST(SseReader, OneSpaceAfterTheColonGoesAndNoMore) {
  EXPECT_EQ(EventsOf("data:a\ndata: b\ndata:  c\ndata:\td\n\n"), Events{"|a\nb\n c\n\td|"});
  EXPECT_EQ(EventsOf("data: a: b\n\n"), Events{"|a: b|"});
}

TEST(SseReader, AnEventMayCarryAnIdAndEmptyData) {
  EXPECT_EQ(EventsOf("id: 1\ndata:\n\n"), Events{"||1"});
  EXPECT_EQ(EventsOf("id: 1\ndata\n\n"), Events{"||1"});
}

TEST(SseReader, WithoutDataThereIsNoEventButItsIdCounts) {
  SseReader reader;
  EXPECT_EQ(Feed(reader, "event: named\nid: 9\n\n\n\n").events, Events{});
  EXPECT_EQ(reader.last_event_id(), "9");
  EXPECT_EQ(Feed(reader, "data: a\n\n").events, Events{"|a|9"}) << "the name went with its event";
  EXPECT_EQ(Feed(reader, "id\ndata: b\n\n").events, Events{"|b|"}) << "an empty id takes it back";
}

TEST(SseReader, AnIdCountsOnceItsEventIsWhole) {
  SseReader reader;
  EXPECT_EQ(Feed(reader, "id: 1\ndata: a\n\nid: 2\ndata: cut off").events, Events{"|a|1"});
  EXPECT_EQ(reader.last_event_id(), "1");
}

TEST(SseReader, CommentsAndUnknownFieldsAreNothing) {
  EXPECT_EQ(EventsOf(": ping\n\n:\n\nfoo: bar\nDATA: no\n data: no\n\ndata: a\n\n"), Events{"|a|"});
  EXPECT_EQ(EventsOf(std::string_view("id: a\0b\ndata: x\n\n", 17)), Events{"|x|"});
}

TEST(SseReader, ARetryIsDigitsAndNeverAbsurd) {
  SseReader reader;
  EXPECT_TRUE(Feed(reader, "retry: 5s\nretry: -1\nretry:\n").events.empty());
  EXPECT_EQ(reader.retry(), std::nullopt);
  EXPECT_TRUE(Feed(reader, "retry: 99999999999999999999999\n").events.empty());
  EXPECT_EQ(reader.retry(), std::chrono::hours(24));
}

TEST(SseReader, AReaderThatHasItsAnswerIsAskedNoMore) {
  SseReader reader;
  int seen = 0;
  const auto stop = [&](const SseEvent&) {
    ++seen;
    return false;
  };
  EXPECT_EQ(reader.Feed("data: a\n\ndata: b\n\n", stop), Progress::kStopped);
  EXPECT_EQ(reader.Feed("data: c\n\n", stop), Progress::kStopped);
  EXPECT_EQ(seen, 1);
}

TEST(SseReader, ALineWithoutEndIsTooLarge) {
  SseReader reader({16, 100});
  EXPECT_EQ(Feed(reader, "data: 0123456789").progress, Progress::kMore);
  EXPECT_EQ(Feed(reader, "\n\n").events, Events{"|0123456789|"});
  EXPECT_EQ(Feed(reader, "data: 01234").progress, Progress::kMore);
  EXPECT_EQ(Feed(reader, "56789x").progress, Progress::kTooLarge);
  EXPECT_EQ(Feed(reader, "\n\ndata: a\n\n").events, Events{});
}

TEST(SseReader, AnEventOfManyLinesIsBoundedToo) {
  SseReader reader({16, 9});
  EXPECT_EQ(Feed(reader, "data: 1234\ndata: 123\n\n").events, Events{"|1234\n123|"});
  EXPECT_EQ(Feed(reader, "data: 1234\ndata: 12345\n\n").progress, Progress::kTooLarge);
  SseReader empty_lines({16, 9});
  EXPECT_EQ(Feed(empty_lines, "data\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\n")
                .progress,
            Progress::kTooLarge);
}

}  // namespace
}  // namespace writ::connectors
