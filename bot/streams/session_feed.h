#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bot/http/streams.h"
#include "router/base/http.h"
#include "router/base/ids.h"
#include "router/base/jobs.h"
#include "router/base/json.h"
#include "router/base/log.h"
#include "router/flow/growing_replies.h"
#include "router/turn/ledger.h"
#include "router/turn/turn_news.h"

namespace writ::bot {

// Tells those who follow a session what becomes of its commands. What is told is read from the
// store, whichever node wrote it: at once where this node did, within a second where another did.
// Only the pieces of a reply that is still being written come from this node alone. Shared by all
// threads.
class SessionFeed {
 public:
  // What is sent for one event. `id` is where whoever comes back goes on; empty: at the event
  // before.
  using Encode =
      std::function<std::string(std::string_view id, std::string_view type, router::Json data)>;

  // Both outlive it; `http` for its timers.
  SessionFeed(router::SessionLedger& sessions, router::HttpClient& http, router::Jobs& jobs,
              router::Log& log)
      : sessions_(sessions), http_(http), jobs_(jobs), log_(log) {}

  // The id of the last event that was seen. Where none was, the commands that had not ended when
  // the stream was asked for: who sends one once the stream is open is told all of it.
  using Start = std::variant<std::int64_t, router::SessionNews>;

  // Follows the session until it or the stream is over.
  void Follow(const router::Session& session, const Start& start, std::shared_ptr<Stream> stream,
              Encode encode);

  // Something of it was committed by this node. Cheap where nobody follows it.
  void Changed(const router::SessionId& session);
  void Grow(const router::ReplyGrowth& growth);

 private:
  struct Follower {
    router::SessionLedger::Watched watched;  // the look's, as is what it was told
    std::map<router::CommandId, router::ToldOfTurn> told;
    std::shared_ptr<Stream> stream;
    Encode encode;
  };

  // With the lock held: whether the caller is to call LookSoon() once it let go of it.
  [[nodiscard]] bool MustLook() { return !changed_.empty() && !std::exchange(is_looking_, true); }
  void LookSoon();
  void Look();
  bool LookOnce();  // false: there is nothing left to look at
  void Poll();
  static void Tell(Follower& follower, const router::SessionNews& news);

  router::SessionLedger& sessions_;
  router::HttpClient& http_;
  router::Jobs& jobs_;
  router::Log& log_;

  std::mutex mutex_;  // guards what follows
  std::map<router::SessionId, std::vector<std::shared_ptr<Follower>>> followers_;
  std::set<router::SessionId> changed_;  // and not looked at yet
  bool is_looking_ = false;              // one look at a time
  bool is_polling_ = false;
};

}  // namespace writ::bot
