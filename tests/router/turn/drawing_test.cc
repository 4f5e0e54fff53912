// docs/turn.md is held to Next(): every move that it makes is drawn, and every drawn move is made.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "router/base/text.h"
#include "router/turn/next.h"
#include "tests/router/turn/walk.h"

namespace writ::router {
namespace {

using tests::Walk;

struct Move {
  std::string from;
  std::string to;
  std::string event;
  friend auto operator<=>(const Move&, const Move&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Move& move) {
    return out << move.from << " --> " << move.to << ": " << move.event;
  }
};

// The moves of one line, `a --> b: event, event`.
void ReadMoves(const std::string& line, std::set<Move>& moves) {
  const auto arrow = line.find(" --> ");
  const auto colon = line.find(": ");
  if (arrow == std::string::npos || colon == std::string::npos) return;
  const std::string from(Trim(line.substr(0, arrow)));
  const std::string to(Trim(line.substr(arrow + 5, colon - arrow - 5)));
  std::istringstream events(line.substr(colon + 2));
  for (std::string event; std::getline(events, event, ',');) {
    moves.insert({from, to, std::string(Trim(event))});
  }
}

// The drawings of docs/turn.md, in their order.
std::vector<std::set<Move>> Drawings() {
  std::ifstream file("docs/turn.md");
  EXPECT_TRUE(file) << "tests run in the repository's folder";
  std::vector<std::set<Move>> drawings;
  bool drawing = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      drawing = line == "```mermaid";
      if (drawing) drawings.emplace_back();
    } else if (drawing) {
      ReadMoves(line, drawings.back());
    }
  }
  return drawings;
}

struct Seen {
  std::set<Move> turn;
  std::set<Move> call;
};

void Watch(const Turn& before, const Turn& after, const std::string& event, Seen& seen) {
  if (before.state != after.state) {
    seen.turn.insert({std::string(NameOf(before.state)), std::string(NameOf(after.state)), event});
  }
  for (const Call& call : after.calls) {
    const Call* earlier = FindCall(before, call.id);
    const std::string from = earlier == nullptr ? "[*]" : std::string(NameOf(earlier->state));
    if (from != NameOf(call.state)) {
      seen.call.insert({from, std::string(NameOf(call.state)), event});
    }
  }
}

Seen EverythingSeen() {
  Seen seen;
  for (std::uint32_t seed = 0; seed < 6000; ++seed) {
    Walk walk(seed);
    for (int i = 0; i < 120 && !HasEnded(walk.turn().state); ++i) {
      const TurnEvent event = walk.RandomEvent();
      const Turn before = walk.turn();
      const Step step = Next(before, event);
      if (!step.accepted) continue;
      Watch(before, step.turn, Walk::NameOf(event), seen);
      walk.Follow(step.turn);
    }
  }
  return seen;
}

void ExpectSame(const std::set<Move>& drawn, const std::set<Move>& made) {
  for (const Move& move : made) EXPECT_TRUE(drawn.contains(move)) << "not drawn: " << move;
  for (const Move& move : drawn) EXPECT_TRUE(made.contains(move)) << "never made: " << move;
}

TEST(TurnDrawing, ShowsEveryMoveThatIsMadeAndNoOther) {
  const std::vector<std::set<Move>> drawings = Drawings();
  ASSERT_EQ(drawings.size(), 2U);
  const Seen seen = EverythingSeen();
  ExpectSame(drawings[0], seen.turn);
  ExpectSame(drawings[1], seen.call);
}

}  // namespace
}  // namespace writ::router
