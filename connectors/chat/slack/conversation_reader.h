#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "connectors/chat/slack/slack_client.h"
#include "router/base/json.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// Reads what stands in a thread, or in a channel without threads, page by page. Each reading is an
// object that its requests hold.
class ConversationReader final : public std::enable_shared_from_this<ConversationReader> {
 public:
  struct Wish {
    std::string channel;
    std::string thread;  // empty: the channel itself, the newest of which come first
    std::string oldest;  // a `ts`; empty: from the beginning
    int pages = 1;       // at most
    int limit = 200;     // a page
  };
  using Done = std::function<void(std::variant<std::vector<router::Json>, router::ChatFailure>)>;

  // The messages as they came.
  static void Start(std::shared_ptr<SlackClient> client, Wish wish, std::stop_token stop,
                    Done done);

 private:
  ConversationReader(std::shared_ptr<SlackClient> client, Wish wish, std::stop_token stop,
                     Done done)
      : client_(std::move(client)),
        wish_(std::move(wish)),
        stop_(std::move(stop)),
        done_(std::move(done)) {}

  void ReadPage(const std::string& cursor);

  const std::shared_ptr<SlackClient> client_;
  const Wish wish_;
  const std::stop_token stop_;
  const Done done_;
  int read_ = 0;
  std::vector<router::Json> messages_;
};

}  // namespace writ::connectors
