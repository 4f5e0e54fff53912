#include "router/chat/event.h"

#include <gtest/gtest.h>

#include <chrono>

namespace writ::router {
namespace {

ChannelEvent EventAt(ChannelEvent::Kind kind, TimePoint time) {
  ChannelEvent event;
  event.kind = kind;
  event.message = MessageId("m-1");
  event.happened_at = time;
  return event;
}

constexpr TimePoint kNoon{std::chrono::hours{12}};

TEST(DedupeKey, OfANewMessageIsTheMessageWhateverTheDelivery) {
  ChannelEvent first = EventAt(ChannelEvent::Kind::kMessageNew, kNoon);
  ChannelEvent again = EventAt(ChannelEvent::Kind::kMessageNew, kNoon + std::chrono::seconds(1));
  first.delivery = "hook-1";
  again.delivery = "hook-2";
  EXPECT_EQ(DedupeKey(first), "new:m-1");
  EXPECT_EQ(DedupeKey(again), DedupeKey(first));
}

TEST(DedupeKey, OfAChangeHasItsTimeSoThatEachEditCounts) {
  const ChannelEvent first = EventAt(ChannelEvent::Kind::kMessageUpdated, kNoon);
  const ChannelEvent later =
      EventAt(ChannelEvent::Kind::kMessageUpdated, kNoon + std::chrono::microseconds(1));
  EXPECT_EQ(DedupeKey(first), "updated:m-1:1970-01-01T12:00:00Z");
  EXPECT_NE(DedupeKey(first), DedupeKey(later));
  EXPECT_EQ(DedupeKey(EventAt(ChannelEvent::Kind::kMessageDeleted, kNoon)),
            "deleted:m-1:1970-01-01T12:00:00Z");
}

}  // namespace
}  // namespace writ::router
