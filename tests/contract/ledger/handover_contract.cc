// Letting go of the lease and looking for the next command is one step: what arrives at that very
// moment is not stranded (field fault 6).
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::Claim;
using router::Work;

class HandoverContract : public LedgerContract {};

TEST_P(HandoverContract, AMessageThatArrivesAsATurnEndsIsAnsweredWithoutAThird) {
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    const std::string name = std::to_string(round);
    const router::Cid cid("callouts:round-" + name);
    const Claim first = ArriveAndStart(Message("first-" + name, kAnya, cid));
    const router::ChannelEvent second = Message("second-" + name, kBen, cid);
    ASSERT_EQ(inbox_.Accept(second, Now()), router::Inbox::Accepted::kStored);
    const router::Opening opening = OpeningOf(second);
    std::vector<Work> by_arrival;
    std::vector<Work> by_end;
    {
      const std::jthread arrives(
          [&] { by_arrival = turns_.Open(opening, kOtherNode, Now()).taken; });
      const std::jthread ends([&] {
        by_end = turns_.Advance(first, Event(Says("answer"))).value_or(router::Advanced{}).taken;
      });
    }
    ASSERT_EQ(by_arrival.size() + by_end.size(), 1U) << "round " << round;
    const Work& started = by_arrival.empty() ? by_end.front() : by_arrival.front();
    EXPECT_EQ(started.claim.turn.text(), "cmd-second-" + name);
  }
}

TEST_P(HandoverContract, ManyWritersAndWorkersAnswerEachMessageOnce) {
  constexpr int kMessages = 60;
  std::mutex mutex;
  std::vector<Work> ready;  // guarded by mutex, as `answered`
  int answered = 0;
  const auto keep = [&](std::vector<Work> work) {
    const std::lock_guard lock(mutex);
    for (Work& piece : work) ready.push_back(std::move(piece));
  };
  std::vector<router::Opening> openings;
  for (int i = 0; i < kMessages; ++i) {
    const router::ChannelEvent message = Message("m" + std::to_string(i));
    ASSERT_EQ(inbox_.Accept(message, Now()), router::Inbox::Accepted::kStored);
    openings.push_back(OpeningOf(message));
  }
  std::atomic<int> next = 0;
  const auto write = [&] {
    for (int i = next++; i < kMessages; i = next++) {
      const router::Opening& opening = openings.at(static_cast<std::size_t>(i));
      auto opened = turns_.Open(opening, kNode, Now());
      while (opened.comes_first) {  // another writer has that one
        std::this_thread::yield();
        opened = turns_.Open(opening, kNode, Now());
      }
      keep(std::move(opened.taken));
    }
  };
  const auto work = [&] {
    while (true) {
      std::optional<Work> piece;
      {
        const std::lock_guard lock(mutex);
        if (answered == kMessages) return;
        if (!ready.empty()) {
          piece = std::move(ready.back());
          ready.pop_back();
        }
      }
      if (!piece) {
        std::this_thread::yield();
        continue;
      }
      auto advanced = turns_.Advance(piece->claim, Event(Says("answer")));
      const std::lock_guard lock(mutex);
      if (advanced) ++answered;
      for (Work& more : advanced.value_or(router::Advanced{}).taken) {
        ready.push_back(std::move(more));
      }
    }
  };
  {
    const std::jthread writer(write);
    const std::jthread other_writer(write);
    const std::jthread worker(work);
    const std::jthread other_worker(work);
  }
  for (int i = 0; i < kMessages; ++i) {
    EXPECT_EQ(StateOf("m" + std::to_string(i)), router::TurnState::kCompleted);
  }
}

WRIT_ON_EVERY_ENGINE(HandoverContract);

}  // namespace writ::tests
