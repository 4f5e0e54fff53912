#include "store/redis/redis_engine.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include "router/base/digest.h"
#include "router/base/failure.h"
#include "store/redis/failures.h"
#include "store/redis/listening.h"
#include "store/redis/opening.h"

namespace writ::store {

using router::Failure;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

// As long as a commit may take: who waits longer has a caller that has gone.
constexpr milliseconds kTryFor{5000};
// Lost connections in a row: a server that was restarted costs each pooled one once.
constexpr int kMostLost = 2;
constexpr milliseconds kLongestPause{20};
// How long it is looked for what became of a commit: while a server is restarted, or another one
// takes its place. No more threads do so than had a connection when it went.
constexpr milliseconds kLookForFate{60000};
constexpr milliseconds kLookAgain{50};
// Longer than a transaction may last (scripts/checks.lua): one that was barred never comes later.
constexpr const char* kKeepBarred = "600000";  // milliseconds
constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kLongestPrefix = 64;

std::string NewId() { return router::HexOf(router::RandomBytes(kIdBytes)); }

// Those that collided must not do so again.
void Pause(int tries) {
  thread_local std::minstd_rand random{std::random_device{}()};
  const milliseconds longest = std::min(milliseconds(1 << std::min(tries, 8)), kLongestPause);
  std::uniform_int_distribution<std::int64_t> pick(0, longest.count() * 1000);
  std::this_thread::sleep_for(std::chrono::microseconds(pick(random)));
}

// Lists over the whole store get shorter with each try: what others have under their hands all the
// time must not keep the rest from being done.
std::size_t MostOf(int tries) {
  constexpr std::size_t kMost = 4096;
  return std::max<std::size_t>(kMost >> std::min(4 * (tries - 1), 12), 1);
}

RedisOptions Checked(RedisOptions options) {
  if (options.prefix.empty() || options.prefix.size() > kLongestPrefix ||
      options.prefix.find('\0') != std::string::npos) {
    throw Failure(Failure::Kind::kPermanent, "store redis: no keys can begin with that prefix");
  }
  return options;
}

// What a connection throws, as a Failure.
template <class Work>
auto WithFailures(const Work& work) {
  try {
    return work();
  } catch (const RedisError& error) {
    throw ToFailure(error);
  } catch (const RedisLost& lost) {
    throw ToFailure(lost);
  }
}

}  // namespace

RedisEngine::RedisEngine(RedisOptions options)
    : options_(Checked(std::move(options))),
      address_(ReadRedisUrl(options_.url)),
      channel_(options_.prefix + ":hints"),
      self_(NewId()),
      pool_("store redis", options_.connections, [this] { return Connect(); }),
      failpoint_(Failpoint::FromEnvironment()) {
  WithFailures([this] {
    RedisConnection connection(address_, options_, sent_);
    MustKeepWhatItCommits(connection);
    store_id_ = OpenRedisStore(connection, options_.prefix);
    AskTime(connection, clock_);
  });
  hints_.emplace([this](const Hints::Ear& hints) {
    const auto ear = pool_.ConnectBeside();
    const auto asks = pool_.ConnectBeside();
    ListenOn(*ear, *asks, channel_, self_, clock_, hints);
  });
}

std::unique_ptr<RedisConnection> RedisEngine::Connect() {
  return WithFailures([this] {
    auto connection = std::make_unique<RedisConnection>(address_, options_, sent_);
    MustKeepWhatItCommits(*connection);
    MustBeStore(*connection, options_.prefix, store_id_);
    return connection;
  });
}

// A place in the line of those that collided at the same row: held while the next try runs.
class RedisEngine::Line {
 public:
  Line(RedisEngine& engine, Clock::time_point until) : engine_(engine), until_(until) {}
  ~Line() { Leave(); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  // Whether it has that place already: whoever came between did not stand in line, and costs it no
  // place.
  [[nodiscard]] bool Has(const std::string& name) const { return held_ == &PlaceOf(name); }
  // Waits in order, until `until` at most; then the try is the last one, line or no line.
  void Join(const std::string& name) {
    Leave();
    Place& place = PlaceOf(name);
    std::unique_lock lock(place.mutex);
    if (std::exchange(place.taken, true)) {
      is_next_ = false;
      place.waiting.push_back(this);
      if (!next_.wait_until(lock, until_, [&] { return is_next_; })) {
        std::erase(place.waiting, this);
        return;
      }
    }
    held_ = &place;
  }

 private:
  [[nodiscard]] Place& PlaceOf(const std::string& name) const {
    return engine_.places_.at(std::hash<std::string>()(name) % engine_.places_.size());
  }
  // Gives the place to who has waited for longest: one that is free for a moment would go to
  // whoever is awake, and others might wait for ever.
  void Leave() {
    if (held_ == nullptr) return;
    Place& place = *std::exchange(held_, nullptr);
    const std::lock_guard lock(place.mutex);
    if (place.waiting.empty()) {
      place.taken = false;
      return;
    }
    Line& next = *place.waiting.front();
    place.waiting.pop_front();
    next.is_next_ = true;
    next.next_.notify_one();  // under the lock: once it is let go the other may be gone
  }

  RedisEngine& engine_;
  const Clock::time_point until_;
  Place* held_ = nullptr;
  std::condition_variable next_;
  bool is_next_ = false;  // guarded by the mutex of the place that it waits for
};

void RedisEngine::Repeat(const std::function<void(RedisConnection&, int)>& once,
                         const std::function<bool()>& is_done_all_the_same) {
  const auto until = Clock::now() + kTryFor;
  Line line(*this, until);
  int lost_in_a_row = 0;
  for (int tries = 1;; ++tries) {
    std::optional<RedisPool::Borrowed> connection(pool_.Borrow());
    try {
      once(**connection, tries);
      return;
    } catch (const RedisConflict& conflict) {
      if (conflict.name() == RedisConflict::kTooOld) AskTimeOf(**connection);
      connection.reset();
      lost_in_a_row = 0;
      if (Clock::now() >= until) {
        throw Failure(Failure::Kind::kTransient,
                      "store redis: other transactions are in the way all the time");
      }
      if (line.Has(conflict.name())) {
        Pause(1);
      } else {
        Pause(tries);
        line.Join(conflict.name());
      }
    } catch (const RedisError& error) {
      throw ToFailure(error);
    } catch (const RedisLost& lost) {
      connection.reset();
      if (is_done_all_the_same()) return;
      if (++lost_in_a_row > kMostLost || Clock::now() >= until) throw ToFailure(lost);
    }
    ++again_;
  }
}

void RedisEngine::AskTimeOf(RedisConnection& connection) {
  try {
    AskTime(connection, clock_);
  } catch (const RedisError&) {  // the next try finds out
  } catch (const RedisLost&) {
  }
}

void RedisEngine::Commit(const std::function<void(Records&)>& work) {
  Try run;
  Repeat(
      [&](RedisConnection& connection, int tries) {
        run = {.commit = "", .most = MostOf(tries)};
        RunOnce(connection, work, run);
      },
      [&] {
        if (run.commit.empty()) return false;  // it was not sent
        switch (FateOf(run.commit)) {
          case Fate::kCommitted:
            return true;
          case Fate::kNever:
            return false;
          case Fate::kUnknown:
            break;
        }
        throw Failure(Failure::Kind::kTransient,
                      "store redis: the connection was lost within a commit, and nobody says what "
                      "became of it");
      });
  ++commits_;
}

void RedisEngine::RunWork(RedisConnection& connection, RedisTransaction& transaction,
                          Records& records, const std::function<void(Records&)>& work) {
  try {
    work(records);
  } catch (const RedisConflict&) {
    throw;
  } catch (const RedisError&) {
    throw;
  } catch (const RedisLost&) {
    throw;
  } catch (...) {
    // It may have seen rows that do not go together.
    MustBeOneState(connection, transaction);
    throw;
  }
}

void RedisEngine::RunOnce(RedisConnection& connection, const std::function<void(Records&)>& work,
                          Try& run) {
  RedisTransaction transaction(connection, options_.prefix, store_id_, clock_.Now(),
                               RedisTransaction::Mode::kWrites);
  RedisRecords records(transaction, run.most);
  RunWork(connection, transaction, records, work);
  if (!records.wrote()) {
    MustBeOneState(connection, transaction);
    return;
  }
  RedisWrites writes = records.TakeWrites();
  if (records.left_work()) {
    writes.channel = channel_;
    writes.words = self_;
  }
  {
    const std::lock_guard lock(failpoint_mutex_);
    failpoint_.BeforeCommit();
  }
  const std::string commit = NewId();
  RedisWords arguments = transaction.Checks();
  arguments.push_back(commit);
  writes.AddTo(arguments);
  run.commit = commit;
  RedisTransaction::MustBeGood(connection.Run(RedisScript::kCommit, arguments));
  const std::lock_guard lock(failpoint_mutex_);
  failpoint_.AfterCommit();
}

void RedisEngine::MustBeOneState(RedisConnection& connection, const RedisTransaction& transaction) {
  if (transaction.IsOneState()) return;
  RedisTransaction::MustBeGood(connection.Run(RedisScript::kCheck, transaction.Checks()));
}

// Whoever comes first decides: the commit, or this, which bars it.
RedisEngine::Fate RedisEngine::FateOf(const std::string& commit) {
  const auto until = Clock::now() + kLookForFate;
  while (Clock::now() < until) {
    try {
      const auto connection = pool_.ConnectBeside();
      const RedisReply before = WithFailures([&] {
        return connection->Ask({"SET", options_.prefix + ":commit:" + commit, "barred", "NX", "GET",
                                "PX", kKeepBarred});
      });
      return before.text == "done" ? Fate::kCommitted : Fate::kNever;
    } catch (const Failure& failure) {  // it is restarted: that is why we ask
      if (failure.kind() != Failure::Kind::kTransient) return Fate::kUnknown;
      std::this_thread::sleep_for(kLookAgain);
    }
  }
  return Fate::kUnknown;
}

void RedisEngine::Read(const std::function<void(Records&)>& work) {
  Repeat([&](RedisConnection& connection, int) { ReadOnce(connection, work); },
         [] { return false; });
  ++reads_;
}

void RedisEngine::ReadOnce(RedisConnection& connection, const std::function<void(Records&)>& work) {
  RedisTransaction transaction(connection, options_.prefix, store_id_, clock_.Now(),
                               RedisTransaction::Mode::kReads);
  RedisRecords records(transaction, MostOf(1));
  RunWork(connection, transaction, records, work);
}

RedisEngine::Counts RedisEngine::counts() const {
  return {commits_, again_, reads_, sent_.commands, sent_.round_trips};
}

}  // namespace writ::store
