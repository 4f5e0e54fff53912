#include "bot/routes/admission.h"

namespace writ::bot {

namespace {

// A command, or a session: as their routes are written. Encoded in another way it runs at once.
bool BeginsSomething(const Message& message) {
  constexpr std::string_view kSessions = "/v1/agents/sessions";
  constexpr std::string_view kCommands = "/commands";
  std::string_view path(message.target);
  path = path.substr(0, path.find('?'));
  if (message.method != "POST" || !path.starts_with(kSessions)) return false;
  path.remove_prefix(kSessions.size());
  if (path.empty()) return true;
  const std::size_t after_id = path.find('/', 1);
  return path.starts_with('/') && after_id != std::string_view::npos &&
         path.substr(after_id) == kCommands;
}

}  // namespace

bool MayWait(const Message& message) {
  if (!message.target.starts_with("/v1/hooks/")) return BeginsSomething(message);
  // JSON, or what is packed; a form begins with a name.
  const bool is_form =
      !message.body.empty() && ((message.body[0] >= 'A' && message.body[0] <= 'Z') ||
                                (message.body[0] >= 'a' && message.body[0] <= 'z'));
  return !is_form;
}

std::optional<std::string_view> Admission::WhyNot() const {
  const store::EngineLoad load = store_();
  if (load.longest_wait > limits_.store_wait) return "store_slow";
  if (limits_.store_bytes && load.bytes >= *limits_.store_bytes) return "store_full";
  if (to_open_() >= limits_.to_open) return "behind";
  if (!has_room_()) return "turns";
  return std::nullopt;
}

}  // namespace writ::bot
