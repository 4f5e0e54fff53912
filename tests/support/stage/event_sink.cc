#include "tests/support/stage/event_sink.h"

#include <stdexcept>
#include <utility>

#include "tests/support/stage/eventually.h"

namespace writ::tests {

using router::Json;

namespace {

constexpr const char* kSecret = "whsec_dGhlIGtleSBvZiB0aGUgYXBwJ3MgZXZlbnRz";

}  // namespace

EventSink::EventSink() : does_([](const Json&) { return 204; }) { Open(); }

EventSink::~EventSink() { Close(); }

void EventSink::Open() {
  {
    const std::lock_guard lock(mutex_);
    released_ = false;
  }
  bot::ServerOptions options;
  options.workers = 16;  // an attempt that hangs occupies one
  options.port = port_;
  server_ = std::make_unique<bot::Server>(
      options, [this](const bot::Request& request) { return Handle(request); }, log_);
  server_->Start();
  port_ = server_->port();
}

void EventSink::Close() {
  Release();
  server_.reset();
}

Json EventSink::Config() const {
  return Json::MakeObject(
      {{"url", "http://127.0.0.1:" + std::to_string(port_) + "/events"}, {"secret", kSecret}});
}

void EventSink::Answer(Does does) {
  const std::lock_guard lock(mutex_);
  does_ = std::move(does);
}

void EventSink::Release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  changed_.notify_all();
}

std::vector<EventSink::Attempt> EventSink::Attempts() const {
  const std::lock_guard lock(mutex_);
  return attempts_;
}

std::vector<Json> EventSink::Taken() const {
  std::vector<Json> taken;
  for (const Attempt& attempt : Attempts()) {
    if (attempt.status == 204) taken.push_back(router::ParseJson(attempt.body).value.value());
  }
  return taken;
}

std::vector<std::string> EventSink::TakenTypes() const {
  std::vector<std::string> types;
  for (const Json& event : Taken()) types.push_back(event.TextAt("type"));
  return types;
}

Json EventSink::WaitFor(const std::string& type) const {
  Json found;
  if (!Eventually([&] {
        for (Json& event : Taken()) {
          if (event.TextAt("type") != type) continue;
          found = std::move(event);
          return true;
        }
        return false;
      })) {
    throw std::runtime_error("no event " + type + " came");
  }
  return found;
}

bot::Response EventSink::Handle(const bot::Request& request) {
  const Json event = router::ParseJson(request.body).value.value_or(Json());
  Does does;
  std::size_t place = 0;
  {
    const std::lock_guard lock(mutex_);
    place = attempts_.size();
    attempts_.push_back({request.headers, request.body, 0});
    does = does_;
  }
  bot::Response response;
  response.status = does(event);
  std::unique_lock lock(mutex_);
  if (response.status == 0) {
    changed_.wait(lock, [this] { return released_; });
    response.status = 503;
  }
  attempts_[place].status = response.status;
  return response;
}

}  // namespace writ::tests
