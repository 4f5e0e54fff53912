#include "bot/http/exchange.h"

#include <httplib.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

namespace writ::bot {
namespace {

// A request that is all there already, and a place for its answer.
class MemoryStream : public httplib::Stream {
 public:
  explicit MemoryStream(std::string head) : head_(std::move(head)) {}

  [[nodiscard]] bool is_readable() const override { return true; }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min(size, head_.size() - read_);
    std::memcpy(to, head_.data() + read_, count);
    read_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, std::size_t size) override {
    written_.append(from, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  [[nodiscard]] socket_t socket() const override { return INVALID_SOCKET; }

  [[nodiscard]] std::string TakeWritten() { return std::move(written_); }

 private:
  std::string head_;
  std::size_t read_ = 0;
  std::string written_;
};

// Headers that httplib acts on by itself and must not: the body is ours (it would read it again,
// and inflate it without a bound), so is the choice of the answer's form (it would compress it, or
// cut a range out of it).
bool IsOurs(std::string_view name) {
  constexpr std::string_view kOurs[] = {"accept-encoding",   "content-encoding", "content-length",
                                        "connection",        "expect",           "range",
                                        "transfer-encoding", "content-type"};
  return std::find(std::begin(kOurs), std::end(kOurs), name) != std::end(kOurs);
}

std::string HeadOf(const Message& message) {
  std::string head = message.method + " " + message.target + " " + message.version + "\r\n";
  for (const auto& [name, value] : message.headers) {
    if (!IsOurs(name)) head += name + ": " + value + "\r\n";
  }
  // A client of HTTP/1.0 that asked to go on is asked to be believed.
  if (message.keep_alive && message.version == "HTTP/1.0") head += "connection: Keep-Alive\r\n";
  return head + "\r\n";
}

// A 204 has no length (RFC 9110 8.6), but httplib gives every answer one.
void DropLength(std::string& bytes) {
  constexpr std::string_view kLength = "Content-Length: 0\r\n";
  const auto at = bytes.find(kLength);
  if (at != std::string::npos) bytes.erase(at, kLength.size());
}

}  // namespace

class Exchange::Engine : public httplib::Server {
 public:
  explicit Engine(const Handle& handle) : handle_(handle) {
    set_keep_alive_max_count(1'000'000);  // connections end by their deadlines
    set_keep_alive_timeout(60);
    // Before httplib's own routing: ours is the table. Nothing can be left unread by that, since
    // the body is not in this stream.
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return Respond(request, response);
    });
    // A method that httplib does not know never reaches its routing: the table has the answer.
    set_error_handler(
        HandlerWithResponse([this](const httplib::Request& request, httplib::Response& response) {
          return request_ ? Respond(request, response) : HandlerResponse::Unhandled;
        }));
    // Its own would send the exception's text to the client.
    set_exception_handler([this](const httplib::Request&, httplib::Response& response,
                                 std::exception_ptr /*exception*/) {
      response_ = ToResponse({ProblemCode::kInternalError, ""});
      Write(response);
    });
  }

  Answer Run(Message message, const std::string& remote_addr) {
    MemoryStream stream(HeadOf(message));
    const bool wants_more = message.keep_alive;
    request_ = ToRequest(std::move(message), remote_addr);
    bool closed = false;
    process_request(stream, !wants_more, closed, nullptr);
    return Finish(stream, wants_more && !closed);
  }

  Answer Refuse(const Problem& problem) {
    MemoryStream stream("GET / HTTP/1.1\r\n\r\n");
    response_ = ToResponse(problem);
    bool closed = false;
    process_request(stream, true, closed, nullptr);
    return Finish(stream, false);
  }

 private:
  // The headers are the reader's own: httplib percent-decodes their values, line breaks included,
  // and adds REMOTE_ADDR and its like beside those that a client sent.
  static Request ToRequest(Message message, const std::string& remote_addr) {
    Request request;
    request.method = std::move(message.method);
    request.target = std::move(message.target);
    request.headers = std::move(message.headers);
    request.body = std::move(message.body);
    request.body_too_large = message.body_too_large;
    request.remote_addr = remote_addr;
    return request;
  }

  HandlerResponse Respond(const httplib::Request& parsed, httplib::Response& response) {
    if (request_) {  // else the response is there already (Refuse())
      const bool is_head = request_->method == "HEAD";
      response_ = handle_(std::move(*std::exchange(request_, std::nullopt)));
      if (is_head) response_.take_over = nullptr;
    }
    // httplib reads whether to close from the request alone. It is not const where it comes from.
    if (response_.take_over) {
      const_cast<httplib::Request&>(parsed).set_header("Connection", "close");
    }
    Write(response);
    return HandlerResponse::Handled;
  }

  void Write(httplib::Response& response) {
    response.status = response_.status;
    for (const auto& [name, value] : response_.headers) response.set_header(name, value);
    if (response_.take_over) {
      // Makes a head without a length. The provider is never asked: this server does not run.
      response.set_content_provider(response_.content_type,
                                    [](std::size_t, httplib::DataSink&) { return false; });
    } else if (!response_.content_type.empty()) {
      response.set_content(response_.body, response_.content_type);
    }
  }

  // httplib knows no upgrade: it would close the connection that is to be another protocol's.
  static std::string SwitchingHead(const Response& response) {
    std::string head = "HTTP/1.1 101 Switching Protocols\r\n";
    for (const auto& [name, value] : response.headers) head += name + ": " + value + "\r\n";
    return head + "\r\n";
  }

  Answer Finish(MemoryStream& stream, bool keep_alive) {
    Answer answer{stream.TakeWritten(), keep_alive, std::move(response_.take_over)};
    if (response_.status == 204) DropLength(answer.bytes);
    if (response_.status == 101) answer.bytes = SwitchingHead(response_);
    if (answer.take_over) answer.bytes += response_.body;
    response_ = {};
    return answer;
  }

  const Handle& handle_;
  std::optional<Request> request_;  // until its handler runs
  Response response_;
};

Exchange::Exchange(const Handle& handle) : engine_(std::make_unique<Engine>(handle)) {}
Exchange::~Exchange() = default;

Answer Exchange::Run(Message message, const std::string& remote_addr) {
  return engine_->Run(std::move(message), remote_addr);
}

Answer Exchange::Refuse(const Problem& problem) { return engine_->Refuse(problem); }

}  // namespace writ::bot
