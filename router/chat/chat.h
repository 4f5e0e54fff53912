#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/event.h"

namespace writ::router {

// A held call that a post asks a person about.
struct PostedAsk {
  ApprovalId approval;
  CallId call;
  UserId asked;
  std::string name;          // `connector__tool`
  bool is_question = false;  // of its tool's: an answer has content
  // The person sees all of it in the post. Where not, a platform offers no way to allow it there.
  bool is_whole = true;
  std::size_t arguments_characters = 0;  // of their canonical text
  std::string code;  // of six digits, for a platform where people answer in words
};

// A message of the agent's as it shall stand in the channel. The neutral form is rendered by the
// core (turn/face); a platform translates it and cuts nothing but what its own limits demand.
struct Post {
  Cid cid;
  MessageId id;  // ours where the platform lets us choose: a repeat changes nothing
  std::optional<MessageId> thread;  // answered in that thread
  UserId agent_user;
  std::string text;
  std::vector<Json> attachments;  // contract section 4
  Json runtime;                   // `support_runtime`; null for a plain notice
  std::vector<UserId> mentioned;
  std::vector<PostedAsk> asks;
  std::string memo;  // the platform's own note of what stands there: see Posted
  // It, or a part of it, may stand there already: it was tried before, for the first time then, and
  // nothing else was sent to the channel in between. For a platform where `id` alone would not keep
  // it from being there twice.
  std::optional<TimePoint> maybe_there_since;
};

struct ChatFailure {
  enum class Kind {
    kTransient,     // may work later: 429, 5xx, time-out, no connection
    kAlreadyThere,  // a post with that id exists: the earlier attempt succeeded
    kMissing,       // the message to edit, or the channel, does not exist
    kRefused,       // will not work
  };
  Kind kind;
  std::string what;
  std::optional<std::chrono::milliseconds> retry_after;  // what the platform asked for, capped
};
using ChatDone = std::function<void(std::optional<ChatFailure>)>;  // nullopt: done

// What became of a post. Where a platform names its messages itself (Slack's `ts`), or shows one
// post as several messages, `memo` says what stands there now: at most 1 KiB, kept with the post,
// handed back with its next face, and nobody else's business. A failure may have one too, where a
// part of the post came through.
struct Posted {
  std::optional<ChatFailure> failure;  // nullopt: shown
  std::string memo;                    // empty: as before
};
using PostDone = std::function<void(Posted)>;

enum class Indicator { kThinking, kGenerating, kClear };

// The port to a chat platform, one an app. Asynchronous: each call returns at once and calls `done`
// once, on a thread of the HTTP client, never from within the call. Shared by all threads.
class Chat {
 public:
  using HistoryDone = std::function<void(std::variant<std::vector<HistoryMessage>, ChatFailure>)>;

  virtual ~Chat() = default;

  virtual void Send(const Post& post, std::stop_token stop, PostDone done) = 0;  // a new message
  virtual void Edit(const Post& post, std::stop_token stop, PostDone done) = 0;  // its new face

  // How often a message may change while its text is still being written; nullopt where the
  // platform is not shown that.
  struct Pace {
    std::chrono::milliseconds of_message;  // between two changes of one message
    std::chrono::milliseconds of_app;      // between any two of the app
  };
  [[nodiscard]] virtual std::optional<Pace> PaceOfGrowing() const { return std::nullopt; }
  // Shows `post.text` in the message while it is still being written. It lasts until the message's
  // next face, which Edit sends; where the platform can, nothing of it is stored.
  virtual void Grow(const Post& /*post*/, std::stop_token /*stop*/, ChatDone /*done*/) {}  // NOLINT

  // Says what the agent does; where it fails nothing follows from it.
  virtual void Indicate(const Cid& cid, const UserId& agent_user, const MessageId& message,
                        Indicator indicator) = 0;

  // The channel's newest `limit` messages, oldest first; of the thread where one is named.
  // `agent_user` tells which are the agent's own.
  virtual void History(const Cid& cid, const std::optional<MessageId>& thread,
                       const UserId& agent_user, int limit, std::stop_token stop,
                       HistoryDone done) = 0;

  // The channel's messages after `since` as the events that their webhooks would have been, oldest
  // first: what was missed while no node ran.
  using MissedDone = std::function<void(std::variant<std::vector<ChannelEvent>, ChatFailure>)>;
  virtual void Missed(const Cid& cid, TimePoint since, std::stop_token stop, MissedDone done) = 0;

  // Makes sure that the agent's user exists, where the platform needs that (once at start).
  virtual void EnsureAgentUser(const UserId& agent_user, ChatDone done) = 0;
};

// What the platform says of a person's membership at this moment.
struct Membership {
  enum class Answer { kMember, kNotMember, kUnknown };
  Answer answer = Answer::kUnknown;
  // Tokens issued before are dead (the user's revoke_tokens_issued_before), where the platform
  // told.
  std::optional<TimePoint> tokens_valid_from;
  // Since when they are one without having left, where the platform tells.
  std::optional<TimePoint> member_since = std::nullopt;
};

// The port that asks who is a member *now*. There is no cache behind it: a banned, deactivated or
// merely invited user is none, an event's member list proves nothing.
class Members {
 public:
  using Done = std::function<void(Membership)>;
  virtual ~Members() = default;
  virtual void Ask(const Cid& cid, const UserId& user, std::chrono::milliseconds timeout,
                   Done done) = 0;
};

}  // namespace writ::router
