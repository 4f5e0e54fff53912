#pragma once

#include <cstdint>
#include <string>

namespace writ::store {

// Lets a test end the process, or fail a commit, at a chosen durable commit of an engine. The
// environment chooses; K counts the commits that write something, from 1:
//
//   WRIT_FAILPOINT=before-commit:K   SIGKILL before the K-th commit
//   WRIT_FAILPOINT=after-commit:K    SIGKILL when it is durable, before anybody is told
//   WRIT_FAILPOINT=fail-commit:K     it fails, as if the disk had refused it; the next one may work
//   WRIT_FAIL_COMMITS_WHILE=PATH     each commit fails while that file is there
//   WRIT_STALL_COMMITS_WHILE=PATH    each commit waits while that file is there
//
// Built without WRIT_FAILPOINTS it does nothing, whatever the environment says. Used by one thread.
class Failpoint {
 public:
#ifdef WRIT_FAILPOINTS
  // throws  Failure{kPermanent} where the environment says something else
  static Failpoint FromEnvironment();

  // throws  Failure{kTransient} where this commit is to fail
  void BeforeCommit();
  void AfterCommit() const;

 private:
  enum class Kind { kNone, kBeforeCommit, kAfterCommit, kFailCommit };
  Kind kind_ = Kind::kNone;
  std::int64_t at_ = 0;
  std::int64_t commits_ = 0;
  std::string fail_while_;
  std::string stall_while_;
#else
  static Failpoint FromEnvironment() { return {}; }
  void BeforeCommit() {}
  void AfterCommit() const {}
#endif
};

}  // namespace writ::store
