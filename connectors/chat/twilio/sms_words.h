#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace writ::connectors {

// The words that the carriers and Twilio take for themselves, where they are the whole message in
// any case.  source: the platforms' page, 3.5
enum class CarrierWord {
  kStop,   // STOP, STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT, REVOKE, OPTOUT
  kStart,  // START, UNSTOP
  kYes,    // YES: opts in, too
  kHelp,   // HELP, INFO
};
[[nodiscard]] std::optional<CarrierWord> CarrierWordOf(std::string_view text);

// `APPROVE 482193`, in any case and with any blanks.
struct SmsAnswer {
  bool allowed = false;
  std::string code;  // digits; empty: the word alone
};
// nullopt where the message is anything else.
[[nodiscard]] std::optional<SmsAnswer> SmsAnswerOf(std::string_view text);

// `text` in messages of at most `longest` characters of UTF-16, cut at line breaks or blanks where
// there are some.  source: the platforms' page, 3.6
[[nodiscard]] std::vector<std::string> SmsPiecesOf(std::string_view text, std::size_t longest);

}  // namespace writ::connectors
