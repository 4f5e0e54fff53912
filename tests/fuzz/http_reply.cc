// Replies of other servers: their head, their body, and the times that they name.
#include <chrono>
#include <string>

#include "connectors/http/http_date.h"
#include "connectors/http/reply_reader.h"
#include "router/base/time.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using connectors::ReplyReader;

constexpr router::TimePoint kNow{std::chrono::seconds{1795944600}};
constexpr std::size_t kMaxBytes = 100;

// Lines up to an empty one are the head; what follows is the body.
void ReadReply(std::string_view input) {
  router::HttpRequest request;
  request.max_response_bytes = kMaxBytes;
  ReplyReader reader(request);
  while (!input.empty() && !reader.head_complete()) {
    const std::size_t end = std::min(input.find('\n'), input.size() - 1);
    if (!reader.TakeHeaderLine(input.substr(0, end + 1))) return;
    input.remove_prefix(end + 1);
  }
  const bool wanted = reader.TakeBody(input.substr(0, input.size() / 2)) &&
                      reader.TakeBody(input.substr(input.size() / 2));
  Require(wanted == (reader.state() == ReplyReader::State::kReading), "it says when it is enough");
  const router::HttpResponse response = reader.TakeResponse();
  Require(response.body.size() <= kMaxBytes, "a body has its limit");
  Require(response.headers.size() <= ReplyReader::kMaxHeaders, "headers have their limit");
  for (const auto& [name, value] : response.headers) {
    Require(name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ\r\n") == std::string::npos,
            "names are in lower case");
    Require(value.find_first_of("\r\n") == std::string::npos, "a value is one line");
  }
}

void Fuzz(std::string_view input) {
  ReadReply(input);
  if (const auto time = router::ParseTime(input)) {
    Require(router::ParseTime(router::FormatTime(*time)) == time, "a time goes both ways");
  }
  if (const auto time = connectors::ParseHttpDate(input, kNow)) {
    Require(router::ParseTime(router::FormatTime(*time)) == time, "a date is a time");
  }
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(http_reply, writ::fuzz::Fuzz)
