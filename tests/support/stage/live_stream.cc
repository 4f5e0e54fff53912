#include "tests/support/stage/live_stream.h"

#include <cstdint>
#include <stdexcept>

#include "tests/support/stage/eventually.h"

namespace writ::tests {

using router::Json;

LiveStream::LiveStream(int port, const Caller& caller, const std::string& session,
                       const std::string& last_event_id, Over over)
    : client_(port), over_(over) {
  std::string target = "/v1/agents/sessions/" + session;
  target += over == Over::kEvents ? "/events" : "/socket";
  std::string head = "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  for (const auto& [name, value] : caller.headers) head += name + ": " + value + "\r\n";
  if (!last_event_id.empty()) head += "Last-Event-ID: " + last_event_id + "\r\n";
  if (over == Over::kSocket) {
    head +=
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  }
  client_.Send(head + "\r\n");
  const auto answer = client_.Receive(true, kLongEnough);
  if (!answer) return;
  status_ = answer->status;
  head_ = answer->head;
}

void LiveStream::Pump() {
  // Not an answer's beginning: all of it stays in rest().
  static_cast<void>(client_.Receive(false, std::chrono::milliseconds(5)));
  while (over_ == Over::kEvents ? TakeEvent() : TakeFrame()) {
  }
}

bool LiveStream::TakeEvent() {
  const std::string_view rest = std::string_view(client_.rest()).substr(read_);
  const auto end = rest.find("\n\n");
  if (end == std::string_view::npos) return false;
  read_ += end + 2;
  LiveEvent event;
  std::string data;
  std::string_view lines = rest.substr(0, end);
  while (!lines.empty()) {
    const auto line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (line.starts_with("id: ")) event.id = line.substr(4);
    if (line.starts_with("event: ")) event.type = line.substr(7);
    if (line.starts_with("data: ")) data += line.substr(6);
  }
  event.data = router::ParseJson(data).value.value_or(Json());
  if (!event.type.empty()) events_.push_back(std::move(event));
  return true;
}

bool LiveStream::TakeFrame() {
  const std::string_view rest = std::string_view(client_.rest()).substr(read_);
  if (rest.size() < 2) return false;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(rest[at]); };
  std::size_t size = byte(1) & 0x7FU;
  std::size_t head = 2;
  const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
  if (rest.size() < head + more) return false;
  if (more > 0) size = 0;
  for (std::size_t i = 0; i < more; ++i) size = (size << 8U) | byte(head + i);
  head += more;
  if (rest.size() < head + size) return false;
  read_ += head + size;
  if ((byte(0) & 0x0FU) == 8 && size >= 2) {
    close_code_ = static_cast<int>((unsigned{byte(head)} << 8U) | byte(head + 1));
  }
  if ((byte(0) & 0x0FU) != 1) return true;  // a ping, a close
  const Json message = router::ParseJson(rest.substr(head, size)).value.value_or(Json());
  const Json* data = message.Find("data");
  events_.push_back(
      {message.TextAt("id"), message.TextAt("type"), data != nullptr ? *data : Json()});
  return true;
}

LiveEvent LiveStream::WaitFor(const std::string& type,
                              const std::function<bool(const LiveEvent&)>& fits) {
  LiveEvent found;
  const bool came = Eventually([&] {
    Pump();
    for (; given_ < events_.size(); ++given_) {
      if (events_[given_].type != type || (fits && !fits(events_[given_]))) continue;
      found = events_[given_++];
      return true;
    }
    return false;
  });
  if (came) return found;
  std::string seen;
  for (const LiveEvent& event : events_) seen += ' ' + event.type;
  throw std::runtime_error("no " + type + " came; there were:" + seen);
}

int LiveStream::WaitForCloseCode() {
  const bool came = Eventually([&] {
    Pump();
    return close_code_ != 0;
  });
  return came ? close_code_ : 0;
}

const std::vector<LiveEvent>& LiveStream::All() {
  Pump();
  return events_;
}

std::vector<std::string> LiveStream::Types() {
  std::vector<std::string> types;
  for (const LiveEvent& event : All()) types.push_back(event.type);
  return types;
}

std::string LiveStream::LastId() {
  std::string last;
  for (const LiveEvent& event : All()) {
    if (!event.id.empty()) last = event.id;
  }
  return last;
}

void LiveStream::Say(const Json& message) {
  constexpr std::string_view kMask = "\x01\x02\x03\x04";
  const std::string text = message.Dump();
  std::string frame = "\x81";
  frame += static_cast<char>(0x80U | 126U);
  frame += static_cast<char>(text.size() >> 8U);
  frame += static_cast<char>(text.size() & 0xFFU);
  frame += kMask;
  for (std::size_t i = 0; i < text.size(); ++i) {
    frame += static_cast<char>(static_cast<unsigned char>(text[i]) ^
                               static_cast<unsigned char>(kMask[i % 4]));
  }
  client_.Send(frame);
}

}  // namespace writ::tests
