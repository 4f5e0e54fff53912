#include "connectors/tool/mcp/stdio/process.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace writ::connectors {
namespace {

constexpr std::size_t kLongestErrorLine = 8192;
constexpr std::chrono::milliseconds kGiveUp{5000};  // after SIGKILL: the kernel holds it

router::SteadyPoint FromNow(std::chrono::milliseconds delay) {
  return std::chrono::steady_clock::now() + delay;
}

std::string HowItEnded(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "unknown";
}

}  // namespace

std::variant<std::shared_ptr<StdioProcess>, std::string> StdioProcess::Start(
    PipeLoop& loop, const StdioCommand& command, std::size_t longest_line, Events events) {
  auto spawned = Spawn(command);
  if (auto* why = std::get_if<std::string>(&spawned)) return std::move(*why);
  auto process = std::make_shared<StdioProcess>(loop, std::get<Spawned>(std::move(spawned)),
                                                longest_line, std::move(events));
  process->Watch();
  return process;
}

StdioProcess::StdioProcess(PipeLoop& loop, Spawned spawned, std::size_t longest_line, Events events)
    : loop_(loop),
      process_(std::move(spawned)),
      events_(std::move(events)),
      out_(
          longest_line, [this](std::string_view line) { events_.on_line(line); },
          [this] { events_.on_too_long(); }),
      err_(
          kLongestErrorLine, [this](std::string_view line) { events_.on_error_line(line); },
          [this] { events_.on_error_line("(a line that is too long)"); }) {}

void StdioProcess::Watch() {
  const auto self = shared_from_this();
  loop_.Watch(process_.out.get(), POLLIN,
              [self](short) { self->Read(self->process_.out, self->out_); });
  loop_.Watch(process_.err.get(), POLLIN,
              [self](short) { self->Read(self->process_.err, self->err_); });
  loop_.Watch(process_.exit.get(), POLLIN, [self](short) { self->Reap(); });
}

bool StdioProcess::Takes(const std::string& line) const {
  return !ending_ && waiting_bytes_ + line.size() < kMostWaiting;
}

StdioProcess::Ticket StdioProcess::Write(std::string line) {
  line += '\n';
  waiting_bytes_ += line.size();
  waiting_.push_back({++last_ticket_, std::move(line)});
  Flush();
  return last_ticket_;
}

bool StdioProcess::HasBegun(Ticket ticket) const {
  if (waiting_.empty() || ticket < waiting_.front().ticket) return true;
  const auto line = std::find_if(waiting_.begin(), waiting_.end(),
                                 [&](const Line& one) { return one.ticket == ticket; });
  return line == waiting_.end() || line->sent > 0;
}

bool StdioProcess::TakeBack(Ticket ticket) {
  if (HasBegun(ticket)) return false;
  const auto line = std::find_if(waiting_.begin(), waiting_.end(),
                                 [&](const Line& one) { return one.ticket == ticket; });
  waiting_bytes_ -= line->text.size();
  waiting_.erase(line);
  return true;
}

// What the pipe has no room for waits. Where nobody reads any more the lines stay: their end says
// what became of them.
void StdioProcess::Flush() {
  while (!waiting_.empty() && process_.in.valid()) {
    Line& line = waiting_.front();
    const ssize_t sent =
        ::write(process_.in.get(), line.text.data() + line.sent, line.text.size() - line.sent);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) return End();
    if (sent < 0) break;
    line.sent += static_cast<std::size_t>(sent);
    if (line.sent < line.text.size()) continue;
    waiting_bytes_ -= line.text.size();
    waiting_.pop_front();
  }
  WatchInput();
}

void StdioProcess::WatchInput() {
  if (!process_.in.valid()) return;
  if (waiting_.empty()) {
    loop_.Unwatch(process_.in.get());
    return;
  }
  loop_.Watch(process_.in.get(), POLLOUT, [self = shared_from_this()](short) { self->Flush(); });
}

// A piece at a time, so that one that never stops talking does not keep the others waiting.
void StdioProcess::Read(UniqueFd& from, LineReader& into) {
  std::array<char, std::size_t{64} << 10> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const ssize_t count = ::read(from.get(), bytes.data(), bytes.size());
  if (count > 0) return into.Take({bytes.data(), static_cast<std::size_t>(count)});
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  loop_.Unwatch(from.get());
  const bool was_out = &from == &process_.out;
  from = UniqueFd();
  if (was_out) End();  // it can't answer any more
}

void StdioProcess::End() {
  if (std::exchange(ending_, true)) return;
  if (process_.in.valid()) loop_.Unwatch(process_.in.get());
  process_.in = UniqueFd();
  timer_ = loop_.timers().Set(FromNow(kGrace), [self = shared_from_this()] {
    self->Signal(SIGTERM, kGrace, [self] {
      self->Signal(SIGKILL, kGiveUp, [self] { self->Finish("it does not end"); });
    });
  });
}

// To all of its group: a program may have been started by a script that waits for it.
void StdioProcess::Signal(int signal, std::chrono::milliseconds then_within,
                          std::function<void()> then) {
  ::kill(-process_.pid, signal);
  timer_ = loop_.timers().Set(FromNow(then_within), std::move(then));
}

void StdioProcess::Reap() {
  // What it said last lies in the pipes. A bound: a child of its own may go on writing.
  for (int piece = 0; piece < 1024 && process_.out.valid(); ++piece) {
    pollfd ready{process_.out.get(), POLLIN, 0};
    if (::poll(&ready, 1, 0) <= 0) break;
    Read(process_.out, out_);
  }
  for (int piece = 0; piece < 16 && process_.err.valid(); ++piece) {
    pollfd ready{process_.err.get(), POLLIN, 0};
    if (::poll(&ready, 1, 0) <= 0) break;
    Read(process_.err, err_);
  }
  err_.Finish();
  // While it is still a zombie its id, and so its group's, is nobody else's.
  ::kill(-process_.pid, SIGKILL);
  int status = 0;
  const bool reaped = ::waitpid(process_.pid, &status, WNOHANG) == process_.pid;
  Finish(reaped ? HowItEnded(status) : "unknown");
}

void StdioProcess::Finish(const std::string& how) {
  const auto self = shared_from_this();  // the loop has let go of it by the end of this
  ending_ = true;
  loop_.timers().Cancel(timer_);
  for (UniqueFd* fd : {&process_.in, &process_.out, &process_.err, &process_.exit}) {
    if (fd->valid()) loop_.Unwatch(fd->get());
    *fd = UniqueFd();
  }
  const Events events = std::exchange(events_, Events{});
  events.on_end(how);
}

}  // namespace writ::connectors
