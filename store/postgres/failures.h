#pragma once

#include <stdexcept>
#include <string>

#include "router/base/failure.h"

namespace writ::store {

// PostgreSQL refused a statement; the transaction is over.
class PostgresError : public std::runtime_error {
 public:
  PostgresError(std::string sqlstate, const std::string& what)
      : std::runtime_error(what), sqlstate_(std::move(sqlstate)) {}
  [[nodiscard]] const std::string& sqlstate() const { return sqlstate_; }

  // The transactions got in each other's way: the same one may work when it is run again.
  [[nodiscard]] bool IsConflict() const;

 private:
  std::string sqlstate_;
};

// The connection is gone, or nothing came over it in time. Whether what was asked last happened is
// not known.
class ConnectionLost : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Whether an error of this SQLSTATE is the connection's end: the server goes down, or has thrown
// this one out.
[[nodiscard]] bool EndsConnection(const std::string& sqlstate);

// What they mean to the ledgers: transient where it may work later (no connection, no room, a
// timeout), permanent where somebody has to change something. Neither has a value of a row in it.
[[nodiscard]] router::Failure ToFailure(const PostgresError& error);
[[nodiscard]] router::Failure ToFailure(const ConnectionLost& lost);

}  // namespace writ::store
