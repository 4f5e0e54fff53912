#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bot/http/message.h"
#include "bot/http/request.h"

namespace writ::bot {

// What goes back over the connection, and what becomes of it afterwards.
struct Answer {
  std::string bytes;
  bool keep_alive = false;
  std::function<void(Socket)> take_over;
};

// Runs one complete request through cpp-httplib, which parses its head and writes the answer's.
// Not thread-safe: each worker has its own.
class Exchange {
 public:
  using Handle = std::function<Response(Request)>;

  // `handle` must outlive the exchange. It must not throw.
  explicit Exchange(const Handle& handle);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  [[nodiscard]] Answer Run(Message message, const std::string& remote_addr);

  // The answer to what is no request at all; the connection ends with it.
  [[nodiscard]] Answer Refuse(const Problem& problem);

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace writ::bot
