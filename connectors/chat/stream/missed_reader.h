#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include "connectors/chat/stream/stream_api.h"
#include "router/base/http.h"
#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/chat.h"
#include "router/chat/event.h"

namespace writ::connectors {

// Finds the messages whose webhooks nobody took: the service gives an event up after 15 seconds.
// Reads the channel back to `since`, and the replies of its newest threads, which are no part of
// the channel. Each reading is an object that its requests hold.
class MissedReader final : public std::enable_shared_from_this<MissedReader> {
 public:
  struct Wish {
    router::AppId app;
    router::Cid cid;
    router::TimePoint since;
    std::vector<router::UserId> agent_users;
  };

  static void Start(const StreamApi& api, router::HttpClient& http, const router::Clock& clock,
                    Wish wish, std::stop_token stop, router::Chat::MissedDone done);

 private:
  MissedReader(const StreamApi& api, router::HttpClient& http, const router::Clock& clock,
               Wish wish, std::stop_token stop, router::Chat::MissedDone done);

  void ReadPage(const std::optional<router::MessageId>& before);
  void TakePage(const router::Json& body);
  void ReadNextThread();
  void Take(const router::Json& message);
  void Finish();

  const StreamApi api_;
  router::HttpClient& http_;
  const router::Clock& clock_;
  const Wish wish_;
  const std::stop_token stop_;
  const router::Chat::MissedDone done_;
  int pages_ = 0;
  bool is_shared_ = false;                  // the channel, as its newest page said
  std::vector<router::MessageId> threads_;  // newest first
  std::size_t next_thread_ = 0;
  std::set<router::MessageId> seen_;  // a reply that is shown in the channel is in both
  std::vector<router::ChannelEvent> events_;
};

}  // namespace writ::connectors
