#include "bot/http/stream_loop.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <typeinfo>

#include "bot/http/stream_client.h"

namespace writ::bot {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{500};
constexpr int kEventsInARow = 256;

Socket Opened(int fd, const char* what) {
  if (fd < 0) throw std::system_error(errno, std::generic_category(), what);
  return Socket(fd);
}

}  // namespace

StreamLoop::StreamLoop(const Streams::Options& options, router::Log& log)
    : options_(options),
      log_(log),
      epoll_(Opened(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wake_(Opened(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
  Control(EPOLL_CTL_ADD, wake_.fd(), EPOLLIN, nullptr);
  events_.resize(kEventsInARow);
  thread_ = std::thread([this] { Run(); });
}

std::optional<Streams::Full> StreamLoop::TakePlace(const std::string& group,
                                                   std::optional<std::size_t> most_of_group) {
  const std::lock_guard lock(mutex_);
  const auto found = groups_.find(group);
  const std::size_t of_group = found == groups_.end() ? 0 : found->second;
  if (most_of_group && of_group >= *most_of_group) return Streams::Full::kGroup;
  if (is_stopping_ || count_ >= options_.most) return Streams::Full::kNode;
  groups_[group] = of_group + 1;
  ++count_;
  return std::nullopt;
}

void StreamLoop::GivePlace(const std::string& group) {
  const std::lock_guard lock(mutex_);
  --count_;
  if (--groups_[group] == 0) groups_.erase(group);
}

void StreamLoop::Stop() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(is_stopping_, true)) return;
  }
  Wake();
  thread_.join();
}

void StreamLoop::Wake() { eventfd_write(wake_.fd(), 1); }

void StreamLoop::Tell(std::shared_ptr<StreamClient> client) {
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = news_.empty();
    news_.push_back(std::move(client));
  }
  if (is_first) Wake();
}

void StreamLoop::Control(int operation, int fd, std::uint32_t events, void* owner) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = owner;
  if (epoll_ctl(epoll_.fd(), operation, fd, &event) != 0) {
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  }
}

void StreamLoop::Add(Socket socket, std::shared_ptr<StreamPlace> place,
                     const Streams::Begin& begin) {
  auto client = std::make_shared<StreamClient>(weak_from_this(), std::move(socket),
                                               std::move(place), options_.most_waiting);
  client->begun_at_ = SteadyClock::now();
  client->quiet_since_ = client->begun_at_;
  client->wishes_ = begin(client);
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) client->wishes_ = {};  // nobody is there to end it
  }
  Tell(std::move(client));
}

void StreamLoop::Run() {
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (is_stopping_) break;
    }
    try {  // none may leave a thread
      Step();
    } catch (const std::exception& fault) {
      log_.Error("streams.fault", {{"type", typeid(fault).name()}});
    }
  }
  TakeNews();
  while (!clients_.empty()) End(*clients_.begin()->second);
}

void StreamLoop::Step() {
  const int count =
      epoll_wait(epoll_.fd(), events_.data(), kEventsInARow, static_cast<int>(kLookEvery.count()));
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events_[static_cast<std::size_t>(i)];
    auto* client = static_cast<StreamClient*>(event.data.ptr);
    if (client == nullptr) {
      eventfd_t value = 0;
      eventfd_read(wake_.fd(), &value);
      continue;
    }
    const auto found = clients_.find(client);
    if (found == clients_.end()) continue;  // ended by an event before this one
    const std::shared_ptr<StreamClient> kept = found->second;
    if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) {
      End(*kept);
      continue;
    }
    if ((event.events & EPOLLIN) != 0) Read(*kept);
    if ((event.events & EPOLLOUT) != 0) Write(*kept);
  }
  TakeNews();
  const auto now = SteadyClock::now();
  if (now - looked_at_ < kLookEvery) return;
  looked_at_ = now;
  LookAtAll();
}

void StreamLoop::TakeNews() {
  std::vector<std::shared_ptr<StreamClient>> news;
  {
    const std::lock_guard lock(mutex_);
    news.swap(news_);
  }
  for (const auto& client : news) {
    if (!client->is_known_) {
      client->is_known_ = true;
      clients_.emplace(client.get(), client);
      try {
        Control(EPOLL_CTL_ADD, client->socket_.fd(), EPOLLIN, client.get());
      } catch (const std::system_error&) {  // the kernel has no room: the others go on
        End(*client);
        continue;
      }
    }
    Write(*client);
  }
}

void StreamLoop::LookAtAll() {
  const auto now = SteadyClock::now();
  std::vector<std::shared_ptr<StreamClient>> all;
  all.reserve(clients_.size());
  for (const auto& [key, client] : clients_) all.push_back(client);
  for (const auto& client : all) {
    if (client->ending_since_ && now - *client->ending_since_ > options_.longest_farewell) {
      End(*client);
    } else if (!client->is_old_ &&
               now - client->begun_at_ >
                   std::min(options_.longest, client->wishes_.longest.value_or(options_.longest))) {
      client->is_old_ = true;
      if (client->wishes_.on_old) {
        client->wishes_.on_old();
      } else {
        client->End();
      }
    } else if (!client->wishes_.beat.empty() && now - client->quiet_since_ > options_.beat_every) {
      client->Send(client->wishes_.beat);
    }
  }
}

void StreamLoop::Read(StreamClient& client) {
  // One piece a round, though more may wait: whoever sends without an end takes nobody's turn.
  std::array<char, 16384> piece;
  const ssize_t size = ::recv(client.socket_.fd(), piece.data(), piece.size(), 0);
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (size <= 0) return End(client);
  if (client.wishes_.on_bytes && !client.IsOver()) {  // after End() nothing counts
    client.wishes_.on_bytes(std::string_view(piece.data(), static_cast<std::size_t>(size)));
  }
}

void StreamLoop::Write(StreamClient& client) {
  if (!clients_.contains(&client)) return;
  bool is_ending = false;
  bool is_cut = false;
  {
    const std::lock_guard lock(client.mutex_);
    client.is_told_ = false;
    if (client.sent_ == client.out_.size()) {
      client.out_.clear();
      client.sent_ = 0;
    }
    // What is on its way already counts, too: it stays within bounds with what waits.
    is_cut = client.is_cut_ || client.out_.size() - client.sent_ > client.most_;
    client.out_ += std::exchange(client.waiting_, {});
    is_ending = client.is_ending_;
  }
  if (is_cut) return End(client);
  while (client.sent_ < client.out_.size()) {
    const ssize_t size = ::send(client.socket_.fd(), client.out_.data() + client.sent_,
                                client.out_.size() - client.sent_, MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) break;
    if (size < 0) return End(client);
    client.sent_ += static_cast<std::size_t>(size);
    client.quiet_since_ = SteadyClock::now();
  }
  const bool is_all_sent = client.sent_ == client.out_.size();
  if (is_all_sent && is_ending) return End(client);
  if (is_ending && !client.ending_since_) client.ending_since_ = SteadyClock::now();
  if (client.waits_to_write_ == is_all_sent) {
    client.waits_to_write_ = !is_all_sent;
    Control(EPOLL_CTL_MOD, client.socket_.fd(),
            client.waits_to_write_ ? EPOLLIN | EPOLLOUT : EPOLLIN, &client);
  }
}

void StreamLoop::End(StreamClient& client) {
  const auto found = clients_.find(&client);
  if (found == clients_.end()) return;
  const std::shared_ptr<StreamClient> kept = std::move(found->second);
  clients_.erase(found);
  {
    const std::lock_guard lock(kept->mutex_);
    kept->is_over_ = true;
    std::string().swap(kept->waiting_);
  }
  std::string().swap(kept->out_);
  epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, kept->socket_.fd(), nullptr);
  // Whoever still has a handle: the peer is told, and the file is free.
  ::shutdown(kept->socket_.fd(), SHUT_RDWR);
  kept->socket_ = {};
  kept->place_.reset();
  // What it calls may hold the stream itself.
  Streams::Wishes wishes = std::exchange(kept->wishes_, {});
  if (wishes.on_end) wishes.on_end();
}

}  // namespace writ::bot
