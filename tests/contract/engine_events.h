#pragma once

#include "tests/contract/engine_contract.h"

namespace writ::store {

inline EventRow EventOf(const std::string& key, int seconds = 0,
                        EventRow::State state = EventRow::State::kWaiting) {
  return {"acme", key, "message-1", state, After(seconds), "doc of " + key};
}

inline std::vector<std::string> KeysOf(const std::vector<EventRow>& rows) {
  std::vector<std::string> keys;
  keys.reserve(rows.size());
  for (const EventRow& row : rows) keys.push_back(row.key);
  return keys;
}

TEST_P(EngineContract, AnEventComesBackAsItWasStored) {
  EventRow event = EventOf("new:1", 3, EventRow::State::kParked);
  event.doc = std::string("a\0b \xf0\x9f\x8d\x8f '\"", 11);
  event.received_at = kNoon + std::chrono::microseconds(394479);
  event.channel = std::string("a\0b:\xf0\x9f\x8d\x8f", 8);
  EXPECT_TRUE(Commit([&](Records& records) { return records.InsertEvent(event); }));
  const auto found = Read([](Records& records) { return records.FindEvent("acme", "new:1"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->app, "acme");
  EXPECT_EQ(found->key, "new:1");
  EXPECT_EQ(found->message, "message-1");
  EXPECT_EQ(found->state, EventRow::State::kParked);
  EXPECT_EQ(found->received_at, event.received_at);
  EXPECT_EQ(found->doc, event.doc);
  EXPECT_EQ(found->channel, event.channel);
}

TEST_P(EngineContract, AnEventIsTakenOnceForEachAppAndKey) {
  EventRow other = EventOf("new:1");
  other.app = "globex";
  EventRow again = EventOf("new:1");
  again.doc = "again";
  EXPECT_TRUE(Commit([&](Records& records) { return records.InsertEvent(EventOf("new:1")); }));
  EXPECT_FALSE(Commit([&](Records& records) { return records.InsertEvent(again); }));
  EXPECT_TRUE(Commit([&](Records& records) { return records.InsertEvent(other); }));
  Read([](Records& records) {
    EXPECT_EQ(records.FindEvent("acme", "new:1")->doc, "doc of new:1");
    EXPECT_FALSE(records.FindEvent("acme", "new:2"));
    EXPECT_FALSE(records.FindEvent("", "new:1"));
  });
}

TEST_P(EngineContract, WaitingEventsComeByArrival) {
  Commit([](Records& records) {
    records.InsertEvent(EventOf("c", 2));
    records.InsertEvent(EventOf("b", 1));
    records.InsertEvent(EventOf("a", 1));
    records.InsertEvent(EventOf("done", 0, EventRow::State::kDone));
    records.InsertEvent(EventOf("parked", 0, EventRow::State::kParked));
  });
  Read([](Records& records) {
    EXPECT_EQ(KeysOf(records.WaitingEvents(10)), (Ids{"b", "a", "c"}));
    EXPECT_EQ(KeysOf(records.WaitingEvents(2)), (Ids{"b", "a"}));
    EXPECT_TRUE(records.WaitingEvents(0).empty());
  });
  Commit([](Records& records) {
    records.SetEventState("acme", "b", EventRow::State::kDone);
    records.SetEventState("acme", "parked", EventRow::State::kWaiting);
    records.SetEventState("acme", "not there", EventRow::State::kDone);
  });
  EXPECT_EQ(KeysOf(Read([](Records& records) { return records.WaitingEvents(10); })),
            (Ids{"parked", "a", "c"}));
}

TEST_P(EngineContract, AChannelsFirstWaitingEventIsTheOneThatWasInsertedFirst) {
  const auto event_in = [](const std::string& key, const std::string& channel, int seconds,
                           EventRow::State state = EventRow::State::kWaiting) {
    EventRow event = EventOf(key, seconds, state);
    event.channel = channel;
    return event;
  };
  Commit([&](Records& records) {
    records.InsertEvent(event_in("other channel", "a:10", 0));
    records.InsertEvent(event_in("done", "a:1", 0, EventRow::State::kDone));
    records.InsertEvent(event_in("parked", "a:1", 0, EventRow::State::kParked));
    records.InsertEvent(event_in("first", "a:1", 9));  // another node's clock was ahead
    records.InsertEvent(event_in("second", "a:1", 1));
    records.InsertEvent(EventOf("of no channel"));
    EventRow other = event_in("other app", "a:2", 0);
    other.app = "globex";
    records.InsertEvent(other);
  });
  const auto first_of = [&](const char* channel) {
    return Read([&](Records& records) { return records.FirstWaitingEvent("acme", channel); });
  };
  ASSERT_TRUE(first_of("a:1"));
  EXPECT_EQ(first_of("a:1")->key, "first");
  EXPECT_EQ(first_of("a:1")->channel, "a:1");
  EXPECT_EQ(first_of("a:10")->key, "other channel");
  EXPECT_FALSE(first_of("a:2"));
  EXPECT_FALSE(first_of("a"));
  Commit([](Records& records) {
    EXPECT_EQ(records.FirstWaitingEvent("acme", "a:1")->key, "first");
    records.SetEventState("acme", "first", EventRow::State::kDone);
    EXPECT_EQ(records.FirstWaitingEvent("acme", "a:1")->key, "second");
    records.SetEventState("acme", "second", EventRow::State::kParked);
    EXPECT_FALSE(records.FirstWaitingEvent("acme", "a:1"));
  });
  EXPECT_FALSE(first_of("a:1"));
}

TEST_P(EngineContract, ParkedEventsAreThoseOfTheMessage) {
  Commit([](Records& records) {
    records.InsertEvent(EventOf("edit-2", 2, EventRow::State::kParked));
    records.InsertEvent(EventOf("edit-1", 1, EventRow::State::kParked));
    records.InsertEvent(EventOf("waiting"));
    EventRow other = EventOf("other message", 0, EventRow::State::kParked);
    other.message = "message-2";
    records.InsertEvent(other);
    other.app = "globex";
    other.message = "message-1";
    records.InsertEvent(other);
  });
  Read([](Records& records) {
    EXPECT_EQ(KeysOf(records.ParkedEvents("acme", "message-1")), (Ids{"edit-1", "edit-2"}));
    EXPECT_TRUE(records.ParkedEvents("acme", "message").empty());
  });
}

TEST_P(EngineContract, AnEventThatIsDoneKeepsItsKeyAndNotItsDoc) {
  Commit([](Records& records) {
    records.InsertEvent(EventOf("new:1"));
    records.InsertEvent(EventOf("new:2"));
    records.SetEventState("acme", "new:1", EventRow::State::kDone);
    records.SetEventState("acme", "new:2", EventRow::State::kParked);
  });
  Read([](Records& records) {
    EXPECT_EQ(records.FindEvent("acme", "new:1")->doc, "");
    EXPECT_EQ(records.FindEvent("acme", "new:2")->doc, "doc of new:2");
  });
  EXPECT_FALSE(Commit([](Records& records) { return records.InsertEvent(EventOf("new:1")); }));
}

TEST_P(EngineContract, AnAppsParkedEventsAreReadInPagesByArrival) {
  Commit([](Records& records) {
    records.InsertEvent(EventOf("third", 3, EventRow::State::kParked));
    records.InsertEvent(EventOf("first", 1, EventRow::State::kParked));
    records.InsertEvent(EventOf("second", 2, EventRow::State::kParked));
    records.InsertEvent(EventOf("waiting", 2));
    records.InsertEvent(EventOf("done", 2, EventRow::State::kDone));
    EventRow other = EventOf("other app", 2, EventRow::State::kParked);
    other.app = "globex";
    records.InsertEvent(other);
  });
  Read([](Records& records) {
    EXPECT_EQ(KeysOf(records.ParkedEventsSince("acme", After(0), 2)), (Ids{"first", "second"}));
    EXPECT_EQ(KeysOf(records.ParkedEventsSince("acme", After(2), 9)), (Ids{"second", "third"}));
    EXPECT_TRUE(records.ParkedEventsSince("acme", After(4), 9).empty());
  });
}

TEST_P(EngineContract, OldEventsAreDeletedInPartsAndWaitingOnesNever) {
  Commit([](Records& records) {
    records.InsertEvent(EventOf("waiting", 0));
    records.InsertEvent(EventOf("parked", 3, EventRow::State::kParked));
    records.InsertEvent(EventOf("second", 2, EventRow::State::kDone));
    records.InsertEvent(EventOf("first", 1, EventRow::State::kDone));
    records.InsertEvent(EventOf("at the instant", 4, EventRow::State::kDone));
  });
  const auto is_there = [&](const char* key) {
    return Read([&](Records& records) { return records.FindEvent("acme", key).has_value(); });
  };
  Commit([](Records& records) { records.DeleteEventsBefore(After(4), 1); });
  EXPECT_FALSE(is_there("first"));
  EXPECT_TRUE(is_there("second"));
  Commit([](Records& records) { records.DeleteEventsBefore(After(4), 10); });
  EXPECT_FALSE(is_there("second"));
  EXPECT_FALSE(is_there("parked"));
  EXPECT_TRUE(is_there("at the instant"));
  EXPECT_TRUE(is_there("waiting"));
}

}  // namespace writ::store
