#include "bot/http/streams.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bot/http/socket.h"

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

// The thread, its streams, and how many places are taken. A stream's handle may outlive it.
class Streams::Loop : public std::enable_shared_from_this<Loop> {
 public:
  Loop(const Options& options, router::Log& log)
      : options_(options),
        log_(log),
        epoll_(Opened(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
        wake_(Opened(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
    Control(EPOLL_CTL_ADD, wake_.fd(), EPOLLIN, nullptr);
    thread_ = std::thread([this] { Run(); });
  }

  std::optional<Full> TakePlace(const std::string& group,
                                std::optional<std::size_t> most_of_group) {
    const std::lock_guard lock(mutex_);
    const auto found = groups_.find(group);
    const std::size_t of_group = found == groups_.end() ? 0 : found->second;
    if (most_of_group && of_group >= *most_of_group) return Full::kGroup;
    if (is_stopping_ || count_ >= options_.most) return Full::kNode;
    groups_[group] = of_group + 1;
    ++count_;
    return std::nullopt;
  }

  void GivePlace(const std::string& group) {
    const std::lock_guard lock(mutex_);
    --count_;
    if (--groups_[group] == 0) groups_.erase(group);
  }

  [[nodiscard]] std::size_t Count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

  void Add(Socket socket, std::shared_ptr<Place> place, const Begin& begin);

  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(is_stopping_, true)) return;
    }
    Wake();
    thread_.join();
  }

 private:
  class Client;
  friend class Client;

  void Run();
  void Step(std::array<epoll_event, kEventsInARow>& events);
  void TakeNews();
  void LookAtAll();
  void Read(Client& client);
  // Writes what waits; ends the stream where it can't go on.
  void Write(Client& client);
  void End(Client& client);

  void Wake() { eventfd_write(wake_.fd(), 1); }
  void Tell(std::shared_ptr<Client> client) {
    bool is_first = false;
    {
      const std::lock_guard lock(mutex_);
      is_first = news_.empty();
      news_.push_back(std::move(client));
    }
    if (is_first) Wake();
  }

  void Control(int operation, int fd, std::uint32_t events, void* owner) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = owner;
    if (epoll_ctl(epoll_.fd(), operation, fd, &event) != 0) {
      throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    }
  }

  const Options options_;
  router::Log& log_;
  Socket epoll_;
  Socket wake_;
  mutable std::mutex mutex_;  // guards what follows
  bool is_stopping_ = false;
  std::size_t count_ = 0;
  std::map<std::string, std::size_t> groups_;
  std::vector<std::shared_ptr<Client>> news_;  // new ones, and those with something to send

  // The thread's own.
  std::unordered_map<Client*, std::shared_ptr<Client>> clients_;
  SteadyClock::time_point looked_at_{};
  std::thread thread_;
};

class Streams::Place {
 public:
  Place(std::shared_ptr<Loop> loop, std::string group)
      : loop_(std::move(loop)), group_(std::move(group)) {}
  ~Place() { loop_->GivePlace(group_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  const std::shared_ptr<Loop> loop_;
  const std::string group_;
};

class Streams::Loop::Client final : public Stream, public std::enable_shared_from_this<Client> {
 public:
  Client(std::weak_ptr<Loop> loop, Socket socket, std::shared_ptr<Place> place, std::size_t most)
      : loop_(std::move(loop)), socket_(std::move(socket)), place_(std::move(place)), most_(most) {}

  bool Send(std::string_view bytes) override {
    {
      const std::lock_guard lock(mutex_);
      if (is_over_ || is_ending_) return false;
      waiting_ += bytes;
      if (waiting_.size() > most_) is_cut_ = true;
      if (std::exchange(is_told_, true)) return true;
    }
    Tell();
    return true;
  }

  void End() override {
    {
      const std::lock_guard lock(mutex_);
      if (is_over_ || std::exchange(is_ending_, true)) return;
      if (std::exchange(is_told_, true)) return;
    }
    Tell();
  }

  [[nodiscard]] bool IsOver() const override {
    const std::lock_guard lock(mutex_);
    return is_over_ || is_ending_;
  }

 private:
  friend class Loop;

  void Tell() {
    if (const auto loop = loop_.lock()) loop->Tell(shared_from_this());
  }

  const std::weak_ptr<Loop> loop_;
  const Socket socket_;
  std::shared_ptr<Place> place_;  // given back when the stream is over
  const std::size_t most_;

  mutable std::mutex mutex_;  // guards what follows
  std::string waiting_;
  bool is_told_ = true;  // it is among the loop's news: from the start
  bool is_ending_ = false;
  bool is_cut_ = false;
  bool is_over_ = false;

  // The loop's thread's own.
  Wishes wishes_;
  std::string out_;
  std::size_t sent_ = 0;
  bool is_known_ = false;  // to epoll
  bool waits_to_write_ = false;
  bool is_old_ = false;
  SteadyClock::time_point begun_at_{};
  SteadyClock::time_point quiet_since_{};
  std::optional<SteadyClock::time_point> ending_since_;
};

void Streams::Loop::Add(Socket socket, std::shared_ptr<Place> place, const Begin& begin) {
  auto client = std::make_shared<Client>(weak_from_this(), std::move(socket), std::move(place),
                                         options_.most_waiting);
  client->begun_at_ = SteadyClock::now();
  client->quiet_since_ = client->begun_at_;
  client->wishes_ = begin(client);
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) client->wishes_ = {};  // nobody is there to end it
  }
  Tell(std::move(client));
}

void Streams::Loop::Run() {
  std::array<epoll_event, kEventsInARow> events{};
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (is_stopping_) break;
    }
    try {  // none may leave a thread
      Step(events);
    } catch (const std::exception& fault) {
      log_.Error("streams.fault", {{"type", typeid(fault).name()}});
    }
  }
  TakeNews();
  while (!clients_.empty()) End(*clients_.begin()->second);
}

void Streams::Loop::Step(std::array<epoll_event, kEventsInARow>& events) {
  const int count =
      epoll_wait(epoll_.fd(), events.data(), kEventsInARow, static_cast<int>(kLookEvery.count()));
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    auto* client = static_cast<Client*>(event.data.ptr);
    if (client == nullptr) {
      eventfd_t value = 0;
      eventfd_read(wake_.fd(), &value);
      continue;
    }
    const auto found = clients_.find(client);
    if (found == clients_.end()) continue;  // ended by an event before this one
    const std::shared_ptr<Client> kept = found->second;
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

void Streams::Loop::TakeNews() {
  std::vector<std::shared_ptr<Client>> news;
  {
    const std::lock_guard lock(mutex_);
    news.swap(news_);
  }
  for (const auto& client : news) {
    if (!client->is_known_) {
      client->is_known_ = true;
      clients_.emplace(client.get(), client);
      Control(EPOLL_CTL_ADD, client->socket_.fd(), EPOLLIN, client.get());
    }
    Write(*client);
  }
}

void Streams::Loop::LookAtAll() {
  const auto now = SteadyClock::now();
  std::vector<std::shared_ptr<Client>> all;
  all.reserve(clients_.size());
  for (const auto& [key, client] : clients_) all.push_back(client);
  for (const auto& client : all) {
    if (client->ending_since_ && now - *client->ending_since_ > options_.longest_farewell) {
      End(*client);
    } else if (!client->is_old_ && now - client->begun_at_ > options_.longest) {
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

void Streams::Loop::Read(Client& client) {
  std::array<char, 16384> piece;
  while (clients_.contains(&client)) {
    const ssize_t size = ::recv(client.socket_.fd(), piece.data(), piece.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) return End(client);
    if (client.wishes_.on_bytes) {
      client.wishes_.on_bytes(std::string_view(piece.data(), static_cast<std::size_t>(size)));
    }
    if (static_cast<std::size_t>(size) < piece.size()) return;
  }
}

void Streams::Loop::Write(Client& client) {
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

void Streams::Loop::End(Client& client) {
  const auto found = clients_.find(&client);
  if (found == clients_.end()) return;
  const std::shared_ptr<Client> kept = std::move(found->second);
  clients_.erase(found);
  {
    const std::lock_guard lock(kept->mutex_);
    kept->is_over_ = true;
    kept->waiting_.clear();
  }
  epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, kept->socket_.fd(), nullptr);
  // The peer is told, whoever still has a handle.
  ::shutdown(kept->socket_.fd(), SHUT_RDWR);
  kept->place_.reset();
  // What it calls may hold the stream itself.
  Wishes wishes = std::exchange(kept->wishes_, {});
  if (wishes.on_end) wishes.on_end();
}

Streams::Streams(Options options, router::Log& log)
    : options_(options), loop_(std::make_shared<Loop>(options, log)) {}

Streams::~Streams() { Stop(); }

std::variant<Response, Streams::Full> Streams::Open(Response head, const std::string& group,
                                                    std::optional<std::size_t> most_of_group,
                                                    Begin begin) {
  if (const auto full = loop_->TakePlace(group, most_of_group)) return *full;
  auto place = std::make_shared<Place>(loop_, group);
  // A connection that ends before its head is out gives its place back with this function.
  head.take_over = [loop = loop_, place = std::move(place),
                    begin = std::move(begin)](Socket socket) mutable {
    loop->Add(std::move(socket), std::move(place), begin);
  };
  return head;
}

std::size_t Streams::Count() const { return loop_->Count(); }

void Streams::Stop() { loop_->Stop(); }

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
