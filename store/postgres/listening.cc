#include "store/postgres/listening.h"

#include <chrono>

namespace writ::store {
namespace {

constexpr std::chrono::seconds kAskTimeEvery{1};

}  // namespace

void AskTime(PostgresConnection& connection, SharedClock& clock) {
  connection.Settle();
  const auto asked = clock.Steady();
  PostgresRows rows =
      connection.Ask("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
  const auto answered = clock.Steady();
  rows.Step();
  clock.Correct(asked, answered, router::TimePoint(std::chrono::microseconds(rows.Int(0))));
}

void ListenOn(PostgresConnection& connection, const std::string& channel, const std::string& self,
              SharedClock& clock, const Hints::Ear& hints) {
  connection.RunScript("LISTEN \"" + channel + "\"");
  AskTime(connection, clock);
  hints.tell();  // what was notified before is lost
  auto asked = std::chrono::steady_clock::now();
  while (!hints.stop.stop_requested()) {
    const auto notice = connection.AwaitNotice(kAskTimeEvery, hints.wake);
    if (notice && *notice != self) hints.tell();
    if (std::chrono::steady_clock::now() - asked < kAskTimeEvery) continue;
    asked = std::chrono::steady_clock::now();
    AskTime(connection, clock);
  }
}

}  // namespace writ::store
