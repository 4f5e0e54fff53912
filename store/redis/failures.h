#pragma once

#include <stdexcept>
#include <string>

#include "router/base/failure.h"

namespace writ::store {

// The server refused a command. What it says begins with a word that names the kind.
class RedisError : public std::runtime_error {
 public:
  explicit RedisError(const std::string& said);
  // `OOM`, `NOSCRIPT`, `ERR`, …
  [[nodiscard]] const std::string& code() const { return code_; }

 private:
  std::string code_;
};

// The connection is gone, or nothing came over it in time. Whether what was asked last happened is
// not known.
class RedisLost : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a transaction read has changed meanwhile: it is to be run again.
class RedisConflict : public std::runtime_error {
 public:
  // Instead of a name: the transaction took too long, or the server's clock was set meanwhile.
  static constexpr const char* kTooOld = "(too old)";

  explicit RedisConflict(std::string name)
      : std::runtime_error("a row was changed by another transaction"), name_(std::move(name)) {}
  // The row's or the index's name; empty where it is not known.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// Under the prefix is another store by now, or none.
[[nodiscard]] router::Failure AnotherStore();

// Whether a server that says so is of no use for now: it loads its data, or became a replica. Who
// connects anew may find another one.
[[nodiscard]] bool EndsConnection(const RedisError& error);

// What they mean to the ledgers: transient where it may work later, permanent where somebody has to
// change something. None has a value of a row in it.
[[nodiscard]] router::Failure ToFailure(const RedisError& error);
[[nodiscard]] router::Failure ToFailure(const RedisLost& lost);

}  // namespace writ::store
