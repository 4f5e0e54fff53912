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

}  // namespace writ::bot
