#include "tests/bench/slow_model.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace writ::bench {
namespace {

constexpr int kBacklog = 4096;
constexpr std::string_view kReply =
    R"({"id":"chatcmpl-1","object":"chat.completion","created":1795944600,"model":"slow",)"
    R"("choices":[{"index":0,"message":{"role":"assistant","content":"That is noted."},)"
    R"("finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4,)"
    R"("total_tokens":13}})";

std::string Answer() {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(kReply.size()) + "\r\n\r\n" + std::string(kReply);
}

// Whether all of a request is there: libcurl gives its body's length.
bool IsWhole(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return false;
  constexpr std::string_view kLength = "Content-Length: ";
  const std::size_t at = bytes.find(kLength);
  std::size_t length = 0;
  if (at < end) {
    std::from_chars(bytes.data() + at + kLength.size(), bytes.data() + end, length);
  }
  return bytes.size() >= end + 4 + length;
}

}  // namespace

SlowModel::SlowModel(std::chrono::milliseconds takes)
    : takes_(takes),
      listening_(bot::ListenAt("127.0.0.1", 0, kBacklog)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  for (const int fd : {listening_.socket.fd(), wake_.fd()}) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event);
  }
  thread_ = std::thread([this] { Run(); });
}

SlowModel::~SlowModel() {
  is_over_ = true;
  eventfd_write(wake_.fd(), 1);
  thread_.join();
}

std::string SlowModel::base_url() const {
  return "http://127.0.0.1:" + std::to_string(listening_.port) + "/v1";
}

void SlowModel::Run() {
  std::array<epoll_event, 256> events{};
  while (!is_over_) {
    const int count = epoll_wait(epoll_.fd(), events.data(), static_cast<int>(events.size()),
                                 MillisecondsToNext());
    for (int i = 0; i < count; ++i) {
      const int fd = events.at(static_cast<std::size_t>(i)).data.fd;
      if (fd == listening_.socket.fd()) {
        Accept();
      } else if (fd != wake_.fd()) {
        Read(fd);
      }
    }
    AnswerWhatIsDue();
  }
}

void SlowModel::Accept() {
  while (true) {
    const int fd = accept4(listening_.socket.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    clients_[fd].socket = bot::Socket(fd);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event);
  }
}

void SlowModel::Read(int client) {
  std::array<char, 65536> bytes{};
  const ssize_t count = recv(client, bytes.data(), bytes.size(), 0);
  if (count <= 0) return Forget(client);
  std::string& in = clients_[client].in;
  in.append(bytes.data(), static_cast<std::size_t>(count));
  if (!IsWhole(in)) return;
  std::string().swap(in);
  ++waiting_count_;
  const bool gathers = gather_ > 0 && waiting_count_ < gather_;
  questions_.push_back({gathers ? Steady::time_point::max() : Steady::now() + takes_, client});
  if (gather_ == 0 || gathers) return;
  gather_ = 0;
  for (Question& question : questions_) {
    question.due = std::min(question.due, Steady::now() + takes_);
  }
}

void SlowModel::Forget(int client) {
  waiting_count_ -= std::erase_if(
      questions_, [&](const Question& question) { return question.client == client; });
  clients_.erase(client);
}

void SlowModel::AnswerWhatIsDue() {
  static const std::string kBytes = Answer();
  while (!questions_.empty() && questions_.front().due <= Steady::now()) {
    // So few bytes fit where nothing else was sent.
    (void)send(questions_.front().client, kBytes.data(), kBytes.size(), MSG_NOSIGNAL);
    questions_.pop_front();
    --waiting_count_;
  }
}

int SlowModel::MillisecondsToNext() const {
  if (questions_.empty() || questions_.front().due == Steady::time_point::max()) return 1000;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(questions_.front().due - Steady::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1000));
}

}  // namespace writ::bench
