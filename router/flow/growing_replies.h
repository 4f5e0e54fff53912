#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/chat.h"
#include "router/flow/node.h"
#include "router/flow/ports.h"
#include "router/flow/setup.h"
#include "router/model/model.h"
#include "router/turn/face.h"
#include "router/turn/ledger.h"
#include "router/turn/turn.h"

namespace writ::router {

// A piece of a reply that is still being written.
struct ReplyGrowth {
  AppId app;
  SessionId session;
  CommandId command;
  ReplyDelta delta;
};

// Shows in the channel how a reply grows while its model writes it, and tells who listens. Nothing
// of it is stored and nothing follows where it fails: the message is what its committed faces say.
// So that none of them is ever covered by an older text, a text is shown only while the turn stands
// as it was when the model was asked, and a face waits for the text that is on its way (WhenQuiet).
// Shared by all threads.
class GrowingReplies {
 public:
  // Called on a thread of the HTTP client, one piece of a reply after the other. Must not block.
  using Listener = std::function<void(const ReplyGrowth&)>;
  // Wants a message for a turn that has none; the turn with it, or nullopt where it has moved on.
  using WantMessage = std::function<std::optional<Turn>()>;

  GrowingReplies(const Ports& ports, const Directory& directory, const Node& node)
      : ports_(ports), directory_(directory), node_(node) {}

  // Before anything runs.
  void OnGrowth(Listener listener) { listener_ = std::move(listener); }

  // The turn's step asks its model under `claim`. `want_message` runs as a job, once at most.
  void Begin(const Claim& claim, std::shared_ptr<const Turn> turn, WantMessage want_message);
  void Grow(const Claim& claim, const ReplyDelta& delta);
  // Nothing of that step is shown any more.
  void End(const Claim& claim);
  // The turn has ended, whoever ended it.
  void End(const CommandId& turn);

  // Runs `then` as soon as nothing of the turn's is on its way to the channel: mostly at once, else
  // on whichever thread that is known on. It must not block.
  void WhenQuiet(const CommandId& turn, std::function<void()> then);

 private:
  struct Reply {
    std::int64_t fence = 0;
    std::shared_ptr<const Turn> turn;  // as it stood when the model was asked
    WantMessage want_message;
    std::string text;
    bool has_news = false;   // `text` was not shown yet
    bool has_timer = false;  // it will be
    bool is_out = false;     // one is on its way
    bool has_ended = false;
    std::vector<std::function<void()>> when_quiet;
  };
  using Replies = std::map<CommandId, Reply>;

  // With the lock held. After what time the reply's next text is to be shown; nullopt: it is not,
  // or somebody else sees to it.
  [[nodiscard]] std::optional<std::chrono::milliseconds> TakeSlot(Reply& reply);
  void EndLocked(Replies::iterator found);
  void TakeFailure(Reply& reply, const ChatFailure& failure);
  // Without it.
  void Indicate(const Turn& turn) const;
  void ShowAfter(const CommandId& turn, std::chrono::milliseconds delay);
  void Show(const CommandId& turn);
  [[nodiscard]] std::optional<Post> TryPost(const Reply& shown);
  void WantTheMessage(const Reply& shown);
  void Shown(const CommandId& turn, const std::optional<ChatFailure>& failure);

  const Ports& ports_;
  const Directory& directory_;
  const Node& node_;
  Listener listener_ = [](const ReplyGrowth&) {};
  std::mutex mutex_;  // guards all below
  Replies replies_;
  std::map<AppId, SteadyPoint> next_slot_;  // of each app's texts
};

}  // namespace writ::router
