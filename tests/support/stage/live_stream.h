#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/json.h"
#include "tests/support/raw_client.h"
#include "tests/support/stage/api_client.h"
#include "tests/support/stage/eventually.h"

namespace writ::tests {

struct LiveEvent {
  std::string id;  // empty where it has none
  std::string type;
  router::Json data;
};

// A session's live stream as a client reads it: server-sent events, or a WebSocket where it is
// asked for one.
class LiveStream {
 public:
  enum class Over { kEvents, kSocket };

  LiveStream(int port, const Caller& caller, const std::string& session,
             const std::string& last_event_id = "", Over over = Over::kEvents);

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& head() const { return head_; }

  // The first event of that type, of those that were not given yet, that `fits`; the ones before it
  // are passed over, and stay in All(). Throws where none comes.
  LiveEvent WaitFor(const std::string& type,
                    const std::function<bool(const LiveEvent&)>& fits = nullptr);
  // All that came so far, in order.
  [[nodiscard]] const std::vector<LiveEvent>& All();
  [[nodiscard]] std::vector<std::string> Types();
  // The id of the newest event that has one.
  [[nodiscard]] std::string LastId();
  [[nodiscard]] bool WaitForClose() { return client_.WaitForClose(kLongEnough); }

  // A WebSocket's text, masked as a client's is.
  void Say(const router::Json& message);
  // Exactly that. False where the other side no longer takes it.
  bool SendBytes(std::string_view bytes) { return client_.Send(bytes); }
  // The code of the close that comes; 0: none came.
  [[nodiscard]] int WaitForCloseCode();

 private:
  void Pump();
  bool TakeEvent();
  bool TakeFrame();

  RawClient client_;
  const Over over_;
  int status_ = 0;
  std::string head_;
  std::size_t read_ = 0;  // of what came
  std::vector<LiveEvent> events_;
  std::size_t given_ = 0;
  int close_code_ = 0;
};

}  // namespace writ::tests
