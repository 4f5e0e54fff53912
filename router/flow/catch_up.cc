#include "router/flow/catch_up.h"

#include <mutex>
#include <utility>

#include "router/base/failure.h"

namespace writ::router {
namespace {

constexpr std::size_t kChannels = 1000;  // those that were active last
constexpr int kAtATime = 4;              // within the platform's limits

}  // namespace

struct CatchUp::Round {
  const AppSetup* app;
  TimePoint since;
  std::mutex mutex;
  std::vector<Session> left;  // guarded by mutex
};

void CatchUp::Start() {
  for (const AppSetup& app : directory_.apps()) {
    if (app.catch_up <= Duration{0}) continue;
    auto round = std::make_shared<Round>();
    round->app = &app;
    round->since = ports_.clock.Now() - app.catch_up;
    round->left = ports_.sessions.ActiveSince(app.id, TimePoint{}, kChannels);
    for (int i = 0; i < kAtATime; ++i) Next(round);
  }
}

void CatchUp::Next(std::shared_ptr<Round> round) {
  Session session;
  {
    const std::lock_guard lock(round->mutex);
    if (round->left.empty()) return;
    session = std::move(round->left.back());
    round->left.pop_back();
  }
  const auto took = [this, round, cid = session.cid](auto outcome) {
    ports_.jobs.Run([this, round, cid, outcome = std::move(outcome)] {
      if (const auto* failure = std::get_if<ChatFailure>(&outcome)) {
        ports_.log.Warn("catch_up.failed", {{"cid", cid.text()}, {"why", failure->what}});
      } else {
        for (const ChannelEvent& event : std::get<std::vector<ChannelEvent>>(outcome)) {
          try {
            if (open_.Accept(event) == Inbox::Accepted::kStored) {
              ports_.log.Info("catch_up.found", {{"message_id", event.message.text()}});
            }
          } catch (const Failure& failed) {
            ports_.log.Warn("catch_up.not_stored",
                            {{"message_id", event.message.text()}, {"why", failed.what()}});
          }
        }
      }
      Next(round);
    });
  };
  round->app->chat->Missed(session.cid, round->since, {}, took);
}

}  // namespace writ::router
