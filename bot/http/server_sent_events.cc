#include "bot/http/server_sent_events.h"

namespace writ::bot {

Response EventStreamHead() {
  Response head;
  head.content_type = "text/event-stream";
  // Neither kept anywhere nor collected by a proxy before it is passed on.
  head.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  return head;
}

std::string EventText(std::string_view id, std::string_view type, std::string_view data) {
  std::string text;
  if (!id.empty()) text.append("id: ").append(id).append("\n");
  text.append("event: ").append(type).append("\n");
  while (true) {
    const auto end = data.find('\n');
    text.append("data: ").append(data.substr(0, end)).append("\n");
    if (end == std::string_view::npos) break;
    data.remove_prefix(end + 1);
  }
  return text + "\n";
}

}  // namespace writ::bot
