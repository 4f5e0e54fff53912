#include "router/flow/catch_up.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "router/base/failure.h"
#include "router/flow/log_about.h"

namespace writ::router {
namespace {

constexpr std::size_t kChannels = 1000;  // those that were active last
constexpr int kAtATime = 4;              // within the platform's limits
constexpr std::chrono::milliseconds kTryAgain{5000};

}  // namespace

struct CatchUp::Round {
  const AppSetup* app;
  TimePoint since;
  TimePoint until;  // what was missed before `since` is too old to answer, so is a later find
  std::optional<TimePoint> leave_before;  // what was written before is not answered
  std::mutex mutex;
  std::vector<Session> left;  // guarded by mutex
};

void CatchUp::Start(Found found) {
  for (const AppSetup& app : directory_.apps()) {
    if (app.catch_up <= Duration{0}) continue;
    auto round = std::make_shared<Round>();
    round->app = &app;
    round->since = ports_.clock.Now() - app.catch_up;
    round->until = ports_.clock.Now() + app.catch_up;
    if (found == Found::kIsLeft) round->leave_before = ports_.clock.Now();
    round->left = ports_.sessions.ActiveSince(app.id, TimePoint{}, kChannels);
    for (int i = 0; i < kAtATime; ++i) Next(round);
  }
}

void CatchUp::Next(const std::shared_ptr<Round>& round) {
  Session session;
  {
    const std::lock_guard lock(round->mutex);
    if (round->left.empty()) return;
    session = std::move(round->left.back());
    round->left.pop_back();
  }
  const auto took = [this, round, session](auto outcome) {
    ports_.jobs.Run([this, round, session, outcome = std::move(outcome)] {
      if (const auto* failure = std::get_if<ChatFailure>(&outcome)) {
        LogAbout(ports_.log, LineIds{.app = session.app.text(), .cid = session.cid.text()})
            .Warn("catch_up.failed", {{"why", failure->what}});
        if (failure->kind == ChatFailure::Kind::kTransient && ports_.clock.Now() < round->until) {
          TryAgain(round, session);
          return;
        }
      } else {
        for (ChannelEvent event : std::get<std::vector<ChannelEvent>>(outcome)) {
          if (round->leave_before) {
            if (event.created_at >= *round->leave_before) continue;  // its webhook comes
            event.ignored_because = "restored";
          }
          try {
            if (open_.Accept(event) == Inbox::Accepted::kStored) {
              LogAbout(ports_.log, event)
                  .Info(round->leave_before ? "catch_up.left" : "catch_up.found");
            }
          } catch (const Failure& failed) {
            LogAbout(ports_.log, event).Warn("catch_up.not_stored", {{"why", failed.what()}});
          }
        }
      }
      Next(round);
    });
  };
  round->app->chat->Missed(session.cid, round->since, {}, took);
}

void CatchUp::TryAgain(std::shared_ptr<Round> round, const Session& session) {
  ports_.http.After(kTryAgain, {}, [this, round = std::move(round), session] {
    ports_.jobs.Run([this, round, session] {
      {
        const std::lock_guard lock(round->mutex);
        round->left.push_back(session);
      }
      Next(round);
    });
  });
}

}  // namespace writ::router
