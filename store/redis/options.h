#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace writ::store {

struct RedisOptions {
  // redis://[[user]:password@]host[:port][/database], or unix://[[user]:password@]/path[?db=N]. It
  // may hold a password: never logged.
  std::string url;
  // Every key begins with it and a colon; so does the channel of the hints.
  std::string prefix = "writ";
  // At most so many connections for transactions; one more listens to other nodes' hints.
  std::size_t connections = 16;

  // A server that says nothing for so long is gone.
  std::chrono::milliseconds silence{7000};
  std::chrono::milliseconds connect_timeout{3000};
};

}  // namespace writ::store
