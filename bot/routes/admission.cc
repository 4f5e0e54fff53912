#include "bot/routes/admission.h"

namespace writ::bot {

bool MayWait(const Message& message) {
  if (!message.target.starts_with("/v1/hooks/")) return false;
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
  return std::nullopt;
}

}  // namespace writ::bot
