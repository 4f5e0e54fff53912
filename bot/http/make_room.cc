#include "bot/http/make_room.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace writ::bot {

void MakeRoom(const std::vector<Connection*>& all, Connection::SteadyPoint now,
              std::chrono::milliseconds patience) {
  using WaitsFor = Connection::WaitsFor;
  std::vector<std::pair<Connection::Waiting, Connection*>> waiting;
  waiting.reserve(all.size());
  std::size_t left = all.size() / 100 + 1;
  for (Connection* connection : all) {
    if (connection->IsAborted() && left > 0) --left;  // no worker has found it yet
    const auto waits = connection->Waits();
    if (waits && (waits->what == WaitsFor::kRequest || now - waits->since > patience)) {
      waiting.emplace_back(*waits, connection);
    }
  }
  std::ranges::sort(waiting, {}, [](const auto& one) { return one.first.since; });
  for (const auto& [waits, connection] : waiting) {
    if (left == 0) return;
    // What a client has sent already is answered; what it sends while its answer waits is not.
    const bool has_come = waits.what != WaitsFor::kPeer && connection->HasUnread();
    if (!has_come && connection->Abort()) --left;
  }
}

}  // namespace writ::bot
