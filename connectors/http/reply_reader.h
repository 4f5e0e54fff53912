#pragma once

#include <cstddef>
#include <string_view>

#include "router/base/http.h"

namespace writ::connectors {

// Puts a reply together from what arrives, within limits. Knows no socket.
class ReplyReader {
 public:
  static constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10;  // interim replies included
  static constexpr std::size_t kMaxHeaders = 256;
  // Of a body that is not 2xx where the request streams: it only explains a refusal, and is read
  // so far and no further.
  static constexpr std::size_t kMaxErrorBytes = std::size_t{1} << 20;

  enum class State {
    kReading,
    kEnough,    // nothing more of it is wanted: a success
    kTooLarge,  // a limit was passed
  };

  // request  outlives the reader; its on_headers and on_data are called from here
  explicit ReplyReader(const router::HttpRequest& request) : request_(request) {}

  // A line of the reply's head with its line break. false: read no further; state() says why.
  [[nodiscard]] bool TakeHeaderLine(std::string_view line);

  // Bytes of the body, inflated.
  [[nodiscard]] bool TakeBody(std::string_view bytes);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool head_complete() const { return head_complete_; }

  // Leaves the reader empty.
  [[nodiscard]] router::HttpResponse TakeResponse() { return std::move(response_); }

 private:
  bool Stop(State state) {
    state_ = state;
    return false;
  }
  [[nodiscard]] bool TakeErrorBody(std::string_view bytes);
  void EndHead();
  void TakeStatusLine(std::string_view line);
  [[nodiscard]] bool streams() const;

  const router::HttpRequest& request_;
  router::HttpResponse response_;
  State state_ = State::kReading;
  bool head_complete_ = false;  // of the final reply, not of a 1xx
  std::size_t header_bytes_ = 0;
  std::size_t body_bytes_ = 0;
};

}  // namespace writ::connectors
