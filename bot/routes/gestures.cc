#include "bot/routes/gestures.h"

#include <exception>
#include <future>
#include <memory>
#include <utility>

#include "router/base/failure.h"
#include "router/base/place.h"

namespace writ::bot {

std::optional<Response> Gestures::Run(const router::AppId& app, std::function<Response()> run,
                                      Response when_late) {
  const router::Place place(places_);
  // Shared with the job, which may end after this thread has given up waiting.
  const auto promise = std::make_shared<std::promise<Response>>();
  std::future<Response> response = promise->get_future();
  const bool is_taken = jobs_.Offer([this, app, run = std::move(run), promise] {
    try {
      promise->set_value(run());
    } catch (const router::Failure& failure) {
      log_.Warn("gesture.failed", {{"app_id", app.text()}, {"why", failure.what()}});
      promise->set_exception(std::current_exception());
    }
  });
  if (!is_taken) return std::nullopt;
  if (!place.IsTaken()) return when_late;
  if (response.wait_for(longest_) != std::future_status::ready) return when_late;
  return response.get();  // a Failure from here is 503
}

}  // namespace writ::bot
