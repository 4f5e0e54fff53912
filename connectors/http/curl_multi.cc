#include "connectors/http/curl_multi.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "router/base/failure.h"

namespace writ::connectors {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

constexpr std::size_t kEventsAtOnce = 256;
constexpr long kIdleConnections = 256;

router::Failure CannotStart(const char* why) {
  return {router::Failure::Kind::kTransient, std::string("outgoing HTTP: ") + why};
}

// In whole milliseconds, rounded up: a wake-up just before its time would spin.
int WaitFor(std::optional<router::SteadyPoint> until) {
  if (!until) return -1;
  const auto left = std::chrono::ceil<milliseconds>(*until - Steady::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

// An error or a hang-up lets libcurl try both: it is recv or send that names the reason.
int ToCurl(std::uint32_t events) {
  int mask = 0;
  if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) mask |= CURL_CSELECT_IN;
  if ((events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) mask |= CURL_CSELECT_OUT;
  return mask;
}

}  // namespace

CurlMulti::CurlMulti(int wake_fd)
    : wake_fd_(wake_fd), epoll_(::epoll_create1(EPOLL_CLOEXEC)), multi_(curl_multi_init()) {
  if (!epoll_.valid()) throw CannotStart("no epoll");
  if (!multi_) throw CannotStart("no multi handle");
  epoll_event wake{};
  wake.events = EPOLLIN;
  wake.data.fd = wake_fd_;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_fd_, &wake) != 0) {
    throw CannotStart("the wake-up cannot be watched");
  }
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &CurlMulti::OnSocket);
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &CurlMulti::OnTimer);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, kIdleConnections);
}

bool CurlMulti::Add(CURL* easy) { return curl_multi_add_handle(multi_.get(), easy) == CURLM_OK; }

void CurlMulti::Remove(CURL* easy) { curl_multi_remove_handle(multi_.get(), easy); }

void CurlMulti::WaitAndAct(std::optional<router::SteadyPoint> until) {
  if (due_ && (!until || *due_ < *until)) until = due_;
  std::array<epoll_event, kEventsAtOnce> events{};
  const int count =
      ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), WaitFor(until));
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.fd == wake_fd_) continue;
    int running = 0;
    curl_multi_socket_action(multi_.get(), event.data.fd, ToCurl(event.events), &running);
  }
  if (due_ && *due_ <= Steady::now()) ActOnTimer();
}

void CurlMulti::ActOnTimer() {
  due_.reset();
  int running = 0;
  curl_multi_socket_action(multi_.get(), CURL_SOCKET_TIMEOUT, 0, &running);
  if (due_) return;
  // libcurl tells of its timer only when it changes. Where it found that it was woken a moment too
  // early nothing changed, and the timer would be lost.
  long left_ms = -1;
  curl_multi_timeout(multi_.get(), &left_ms);
  if (left_ms >= 0) due_ = Steady::now() + milliseconds(std::max(left_ms, 1L));
}

std::vector<CurlMulti::Finished> CurlMulti::TakeFinished() {
  std::vector<Finished> finished;
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg == CURLMSG_DONE) {
      finished.push_back({message->easy_handle, message->data.result});
    }
  }
  return finished;
}

int CurlMulti::OnSocket(CURL* /*easy*/, curl_socket_t socket, int what, void* self,
                        void* /*unused*/) {
  static_cast<CurlMulti*>(self)->Watch(socket, what);
  return 0;
}

int CurlMulti::OnTimer(CURLM* /*multi*/, long timeout_ms, void* self) {
  // Only noted: libcurl may not be called from its own callback.
  std::optional<router::SteadyPoint>& due = static_cast<CurlMulti*>(self)->due_;
  due.reset();
  if (timeout_ms >= 0) due = Steady::now() + milliseconds(timeout_ms);
  return 0;
}

void CurlMulti::Watch(int fd, int what) {
  if (what == CURL_POLL_REMOVE) {
    // libcurl 7.88 closes a socket that was still connecting before it tells of its removal. The
    // number may be another thread's by now, but then it is not in this epoll: ENOENT.
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
    return;
  }
  epoll_event wanted{};
  wanted.data.fd = fd;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) wanted.events |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) wanted.events |= EPOLLOUT;
  // The kernel knows best whether the number is watched: a socket that was closed is not any more.
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &wanted) != 0 && errno == ENOENT) {
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &wanted);
  }
}

}  // namespace writ::connectors
