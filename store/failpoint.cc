#include "store/failpoint.h"

#ifdef WRIT_FAILPOINTS

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "router/base/failure.h"

namespace writ::store {

using router::Failure;

namespace {

std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool Exists(const std::string& path) { return !path.empty() && ::access(path.c_str(), F_OK) == 0; }

[[noreturn]] void Die() {
  std::raise(SIGKILL);
  std::abort();
}

}  // namespace

Failpoint Failpoint::FromEnvironment() {
  Failpoint point;
  point.fail_while_ = Environment("WRIT_FAIL_COMMITS_WHILE");
  point.stall_while_ = Environment("WRIT_STALL_COMMITS_WHILE");
  const std::string_view value = Environment("WRIT_FAILPOINT");
  if (value.empty()) return point;
  const std::string_view name = value.substr(0, value.find(':'));
  if (name == "before-commit") point.kind_ = Kind::kBeforeCommit;
  if (name == "after-commit") point.kind_ = Kind::kAfterCommit;
  if (name == "fail-commit") point.kind_ = Kind::kFailCommit;
  if (name.size() < value.size()) {
    const std::string_view number = value.substr(name.size() + 1);
    std::from_chars(number.data(), number.data() + number.size(), point.at_);
  }
  if (point.kind_ == Kind::kNone || point.at_ < 1) {
    throw Failure(Failure::Kind::kPermanent,
                  "WRIT_FAILPOINT: no before-commit:K, after-commit:K or fail-commit:K");
  }
  return point;
}

void Failpoint::BeforeCommit() {
  ++commits_;
  while (Exists(stall_while_)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (kind_ == Kind::kBeforeCommit && commits_ == at_) Die();
  if ((kind_ == Kind::kFailCommit && commits_ == at_) || Exists(fail_while_)) {
    throw Failure(Failure::Kind::kTransient, "the commit failed: a failpoint");
  }
}

void Failpoint::AfterCommit() const {
  if (kind_ == Kind::kAfterCommit && commits_ == at_) Die();
}

}  // namespace writ::store

#endif
