#pragma once

#include <string>
#include <string_view>

namespace writ::bot {

// Phone numbers as a log has them: a person and a conversation over SMS are `sms:+1…`, and logs are
// kept elsewhere, and longer than what can be forgotten. A number becomes a mark that is the same
// in all of this object's life, so that lines still belong together, and a new one in the next: its
// key is kept nowhere, for whoever had it could try all numbers. Shared by all threads.
class PhoneMarks {
 public:
  PhoneMarks();

  // The text, with `sms:` and twelve hex digits for each `sms:+1…` in it.
  [[nodiscard]] std::string Mark(std::string_view text) const;

 private:
  std::string key_;
};

}  // namespace writ::bot
