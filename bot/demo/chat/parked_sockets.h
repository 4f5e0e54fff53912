#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "bot/http/socket.h"

namespace writ::bot {

// Connections whose peers shall wait for ever. Shared by all threads.
class ParkedSockets {
 public:
  void Park(Socket socket) {
    const std::lock_guard lock(mutex_);
    sockets_.push_back(std::move(socket));
  }

 private:
  std::mutex mutex_;  // guards sockets_
  std::vector<Socket> sockets_;
};

}  // namespace writ::bot
