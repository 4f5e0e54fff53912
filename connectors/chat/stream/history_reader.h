#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "connectors/chat/stream/stream_api.h"
#include "router/base/http.h"
#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// Reads what was said in a channel, or in a thread together with the message that it hangs from.
// Each reading is an object that lives as long as its requests are out: they hold it.
class HistoryReader final : public std::enable_shared_from_this<HistoryReader> {
 public:
  struct Wish {
    router::Cid cid;
    std::optional<router::MessageId> thread;
    router::UserId agent_user;
    int limit = 0;
  };

  static void Start(const StreamApi& api, router::HttpClient& http, const router::Clock& clock,
                    Wish wish, std::stop_token stop, router::Chat::HistoryDone done);

 private:
  HistoryReader(const StreamApi& api, router::HttpClient& http, const router::Clock& clock,
                Wish wish, std::stop_token stop, router::Chat::HistoryDone done);

  void ReadMessages();
  void ReadParent();
  void Take(const router::Json& message);
  void Finish();

  const StreamApi api_;
  router::HttpClient& http_;
  const router::Clock& clock_;
  const Wish wish_;
  const std::stop_token stop_;
  const router::Chat::HistoryDone done_;
  std::vector<router::HistoryMessage> messages_;
};

}  // namespace writ::connectors
