#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace writ::store {

struct PostgresOptions {
  // libpq's connection string, as a URI or as `key=value …`. It may hold a password: never logged.
  std::string dsn;
  // The schema that has the tables. Made where it is not there and the user may.
  std::string schema = "writ";
  // At most so many connections for transactions; one more waits for other nodes' hints.
  std::size_t connections = 8;

  // Longer than this no statement runs, nor waits for another transaction.
  std::chrono::milliseconds statement_timeout{5000};
  // A node that sleeps within a transaction loses it, so that others can go on.
  std::chrono::milliseconds idle_timeout{3000};
  // A server that says nothing for so long is gone. Longer than `statement_timeout`.
  std::chrono::milliseconds silence{7000};
  std::chrono::seconds connect_timeout{3};
};

}  // namespace writ::store
