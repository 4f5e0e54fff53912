// What is kept of phones, for all nodes alike.
#include <atomic>
#include <thread>

#include "store/ledger/phones_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using std::chrono::minutes;

class PhoneContract : public LedgerContract {
 protected:
  std::optional<std::size_t> Take(const router::UserId& person = kAnya) {
    return phones_.TakeGuess(kAcme, person, Now());
  }

  store::PhonesOver phones_{engine()};
};

TEST_P(PhoneContract, FiveGuessesAreTakenWithinAnyHour) {
  ASSERT_TRUE(Take());
  clock_.Advance(minutes(59));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Take());
  EXPECT_FALSE(Take());
  EXPECT_TRUE(Take(kBen));
  EXPECT_TRUE(phones_.TakeGuess(router::AppId("other"), kAnya, Now()));
  clock_.Advance(minutes(1));
  EXPECT_TRUE(Take()) << "the first is an hour old";
  EXPECT_FALSE(Take()) << "the others are not";
}

TEST_P(PhoneContract, ARightGuessIsGivenBack) {
  for (int i = 0; i < 20; ++i) {
    const auto guess = Take();
    ASSERT_TRUE(guess);
    phones_.GiveGuessBack(kAcme, kAnya, *guess);
  }
}

TEST_P(PhoneContract, GuessesAtTheSameTimeAreFiveTogether) {
  std::atomic<int> taken{0};
  std::vector<std::jthread> nodes;
  nodes.reserve(8);
  for (int node = 0; node < 8; ++node) {
    nodes.emplace_back([&] {
      store::PhonesOver phones(engine());
      for (int i = 0; i < 4; ++i) {
        if (phones.TakeGuess(kAcme, kAnya, Now())) ++taken;
      }
    });
  }
  nodes.clear();
  EXPECT_EQ(taken, 5);
}

TEST_P(PhoneContract, WhoWantsNoneIsKnownUntilTheySayOtherwise) {
  EXPECT_FALSE(phones_.WantsNone(kAcme, kAnya));
  phones_.Wish(kAcme, kAnya, true, "SM1", Now());
  EXPECT_TRUE(store::PhonesOver(engine()).WantsNone(kAcme, kAnya));
  EXPECT_FALSE(phones_.WantsNone(kAcme, kBen));
  EXPECT_FALSE(phones_.WantsNone(router::AppId("other"), kAnya));
  phones_.Wish(kAcme, kAnya, false, "SM2", Now());
  phones_.Wish(kAcme, kAnya, true, "SM1", Now());  // the first one comes again
  EXPECT_FALSE(phones_.WantsNone(kAcme, kAnya));
}

TEST_P(PhoneContract, AnOptOutIsKeptAndNothingElseOfAPhoneIs) {
  phones_.Wish(kAcme, kAnya, true, "SM1", Now());
  phones_.Wish(kAcme, kBen, true, "SM2", Now());
  phones_.Wish(kAcme, kBen, false, "SM3", Now());
  ASSERT_TRUE(Take());
  engine().Commit([&](store::Records& records) {
    records.DeleteBudgetsBefore(Now() + std::chrono::hours(1000000), 100);
  });
  EXPECT_TRUE(phones_.WantsNone(kAcme, kAnya));
  engine().Commit([&](store::Records& records) {
    EXPECT_FALSE(records.FindBudget("acme", "phone none:" + kBen.text()));
    EXPECT_FALSE(records.FindBudget("acme", "phone guess 0:" + kAnya.text()));
  });
}

TEST_P(PhoneContract, AMessageIsFirstOnce) {
  EXPECT_TRUE(phones_.IsFirst(kAcme, "SM1", Now()));
  EXPECT_FALSE(store::PhonesOver(engine()).IsFirst(kAcme, "SM1", Now()));
  EXPECT_TRUE(phones_.IsFirst(router::AppId("other"), "SM1", Now()));
}

WRIT_ON_EVERY_ENGINE(PhoneContract);

}  // namespace writ::tests
