// How backends are told: in order for each session, again until taken, few at a time for an app.
#include "router/flow/tell.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/base/id_source.h"
#include "store/ledger/approvals_over.h"
#include "store/ledger/consents_over.h"
#include "store/ledger/events_over.h"
#include "store/ledger/inbox_over.h"
#include "store/ledger/outbox_over.h"
#include "store/ledger/sessions_over.h"
#include "store/ledger/telling.h"
#include "store/ledger/turns_over.h"
#include "store/memory/memory_engine.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"
#include "tests/support/hand_jobs.h"
#include "tests/support/recording_log.h"

namespace writ::router {
namespace {

using tests::FakeClock;
using tests::FakeHttp;
using tests::HandJobs;
using tests::RecordingLog;
using namespace std::chrono_literals;
using Names = std::vector<std::string>;

// A backend that keeps what it is told until the test says what became of it.
class HandBackend final : public Backend {
 public:
  void Tell(const std::string& id, const std::string& /*body*/, std::stop_token /*stop*/,
            std::function<void(std::optional<BackendFailure>)> done) override {
    told_.push_back(id);
    out_.emplace_back(id, std::move(done));
  }
  // The oldest that is out.
  void Take() { Answer(std::nullopt); }
  void Fail(std::optional<std::chrono::milliseconds> wait = std::nullopt) {
    Answer(BackendFailure{"HTTP status 503", wait});
  }
  [[nodiscard]] const Names& told() const { return told_; }
  [[nodiscard]] std::size_t out() const { return out_.size(); }

 private:
  void Answer(const std::optional<BackendFailure>& failure) {
    const auto done = std::move(out_.front().second);
    out_.pop_front();
    done(failure);
  }
  Names told_;
  std::deque<std::pair<std::string, std::function<void(std::optional<BackendFailure>)>>> out_;
};

class TellTest : public testing::Test {
 protected:
  TellTest() { turns_.Beat(node_.id(), clock_.Now() + 1000h, clock_.Now(), {}); }

  static std::vector<AppSetup> Apps(HandBackend& acme, HandBackend& globex) {
    AppSetup first;
    first.id = AppId("acme");
    first.backend = &acme;
    AppSetup second;
    second.id = AppId("globex");
    second.backend = &globex;
    AppSetup quiet;
    quiet.id = AppId("initech");
    return {first, second, quiet};
  }
  void Happens(const std::string& id, const std::string& session, const std::string& app = "acme") {
    engine_.Commit([&](store::Records& records) {
      BackendEvent event = MakeEvent("tool.pending", id, AppId(app), Cid(), Json(), clock_.Now());
      event.id = id;
      store::SaveEvent(records, AppId(app), session, event, clock_.Now());
    });
  }
  // All that follows from what is due now.
  void Go() {
    tell_.Pump();
    jobs_.RunAll();
  }
  void TimePasses(std::chrono::milliseconds by) {
    clock_.Advance(by);
    http_.Advance(by);
    Go();
  }

  FakeClock clock_;
  FakeHttp http_;
  RecordingLog log_;
  HandJobs jobs_;
  RandomIdSource ids_{clock_};
  store::MemoryEngine engine_{{}};
  store::TellingOf telling_;
  store::InboxOver inbox_{engine_};
  store::TurnsOver turns_{engine_, log_, telling_};
  store::SessionsOver sessions_{engine_, telling_};
  store::ApprovalsOver approvals_{engine_, telling_};
  store::ConsentsOver consents_{engine_, telling_};
  store::OutboxOver outbox_{engine_};
  store::EventsOver events_{engine_};
  Ports ports_{inbox_, turns_, sessions_, approvals_, consents_, outbox_,
               http_,  jobs_,  clock_,    ids_,       log_};
  HandBackend acme_;
  HandBackend globex_;
  Directory directory_{Apps(acme_, globex_)};
  Node node_{NodeId("node-a"), clock_};
  Tell tell_{ports_, events_, directory_, node_};
};

TEST_F(TellTest, ASessionsEventsGoOneByOne) {
  for (const char* id : {"e1", "e2", "e3"}) Happens(id, "ses_1");
  Go();
  EXPECT_EQ(acme_.told(), Names{"e1"});
  acme_.Take();
  jobs_.RunAll();
  EXPECT_EQ(acme_.told(), (Names{"e1", "e2"}));
  acme_.Take();
  jobs_.RunAll();
  acme_.Take();
  jobs_.RunAll();
  EXPECT_EQ(acme_.told(), (Names{"e1", "e2", "e3"}));
  Go();
  EXPECT_EQ(acme_.told().size(), 3U) << "each once";
  EXPECT_FALSE(tell_.Next());
}

TEST_F(TellTest, OneThatIsNotTakenIsToldAgainLaterAndHoldsTheNextBack) {
  Happens("e1", "ses_1");
  Happens("e2", "ses_1");
  Happens("f1", "ses_2");
  Go();
  EXPECT_EQ(acme_.told(), (Names{"e1", "f1"}));
  acme_.Fail();
  acme_.Take();
  jobs_.RunAll();
  Go();
  EXPECT_EQ(acme_.told().size(), 2U) << "not at once";
  TimePasses(1s);
  EXPECT_EQ(acme_.told(), (Names{"e1", "f1", "e1"}));
  acme_.Take();
  jobs_.RunAll();
  EXPECT_EQ(acme_.told().back(), "e2");
}

TEST_F(TellTest, TheWaitGrowsWithEachAttemptUpToFiveMinutes) {
  Happens("e1", "ses_1");
  Go();
  std::vector<std::chrono::milliseconds> waits;
  for (int attempt = 0; attempt < 12; ++attempt) {
    acme_.Fail();
    jobs_.RunAll();
    const auto next = tell_.Next();
    ASSERT_TRUE(next);
    waits.push_back(std::chrono::ceil<std::chrono::milliseconds>(*next - clock_.Now()));
    TimePasses(waits.back());
    ASSERT_EQ(acme_.out(), 1U) << "attempt " << attempt;
  }
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const auto full = std::min<std::chrono::milliseconds>(1000ms * (1 << i), 300s);
    EXPECT_LE(waits[i], full) << i;
    EXPECT_GE(waits[i], full * 3 / 4 - 1ms) << i;
  }
}

TEST_F(TellTest, TheBackendsOwnWaitIsHeeded) {
  Happens("e1", "ses_1");
  Go();
  acme_.Fail(42s);
  jobs_.RunAll();
  EXPECT_EQ(tell_.Next(), clock_.Now() + 42s);
}

TEST_F(TellTest, AfterADayItIsGivenUpWithALogLineAndTheNextGoesOn) {
  Happens("e1", "ses_1");
  Happens("e2", "ses_1");
  Go();
  const TimePoint first = clock_.Now();
  int attempts = 0;
  while (log_.text().find("event.given_up") == std::string::npos) {
    ASSERT_EQ(acme_.out(), 1U);
    ASSERT_EQ(acme_.told().back(), "e1");
    acme_.Fail();
    jobs_.RunAll();
    ++attempts;
    ASSERT_LT(attempts, 1000);
    if (clock_.Now() - first < 23h) {
      ASSERT_EQ(log_.text().find("event.given_up"), std::string::npos);
    }
    TimePasses(300s);
  }
  EXPECT_GE(clock_.Now() - first, 24h);
  EXPECT_LE(clock_.Now() - first, 24h + 10min);
  EXPECT_NE(log_.text().find("event_id=e1"), std::string::npos);
  EXPECT_NE(log_.text().find("events=2"), std::string::npos) << "the other waited as long";
  Happens("e3", "ses_1");
  Go();
  EXPECT_EQ(acme_.told().back(), "e3");
}

TEST_F(TellTest, FewAreOutAtATimeForOneAppAndAnotherAppDoesNotWait) {
  for (int i = 0; i < 50; ++i) Happens("e" + std::to_string(i), "ses_" + std::to_string(i));
  Go();
  const std::size_t most = acme_.out();
  EXPECT_LE(most, 8U);
  EXPECT_GE(most, 2U);
  Happens("g1", "ses_g", "globex");
  Go();
  EXPECT_EQ(globex_.told(), Names{"g1"}) << "acme's backend does not answer";
  EXPECT_EQ(acme_.out(), most);
  acme_.Take();
  jobs_.RunAll();
  EXPECT_EQ(acme_.out(), most) << "one more for one that was taken";
}

TEST_F(TellTest, ANodeThatStopsTellsNothingNew) {
  Happens("e1", "ses_1");
  node_.Drain();
  Go();
  EXPECT_TRUE(acme_.told().empty());
}

TEST_F(TellTest, AnAppWithoutABackendIsNotLookedAt) {
  Happens("e1", "ses_1", "initech");
  Go();
  EXPECT_FALSE(tell_.Next());
}

}  // namespace
}  // namespace writ::router
