#pragma once

#include <string>
#include <vector>

#include "tests/chaos/evidence.h"

namespace writ::chaos {

// A rule of the product that the evidence breaks.
struct Finding {
  std::string rule;     // its sentence
  std::string subject;  // the word of a message, a call, a channel
  std::string what;

  friend bool operator==(const Finding&, const Finding&) = default;
};

inline constexpr const char* kAnsweredOnce = "every acknowledged message is answered once";
inline constexpr const char* kShownAsItIs = "what the channel shows at the end is what is";
inline constexpr const char* kExecutedOnce = "no call is executed twice";
inline constexpr const char* kRightPerson = "none is executed without a yes of the right person";
inline constexpr const char* kFirstAnswerHolds = "the first answer holds, and nobody else's";
inline constexpr const char* kNoHeldCallLost = "no held call is lost";
inline constexpr const char* kOrderKept = "order is kept within each channel";
inline constexpr const char* kOneHolder = "no fence is held by two";
inline constexpr const char* kOneLease = "no channel has two turn leases";
inline constexpr const char* kNothingLeft = "nothing is left undone";

// Holds what was seen of a run to the rules. Pure: it reads the evidence and nothing else.
[[nodiscard]] std::vector<Finding> Check(const Evidence& evidence);

// Parts of it, in the order of the rules above.
void CheckMessages(const Evidence& evidence, std::vector<Finding>& findings);
void CheckCalls(const Evidence& evidence, std::vector<Finding>& findings);
void CheckOrder(const Evidence& evidence, std::vector<Finding>& findings);
void CheckStore(const Evidence& evidence, std::vector<Finding>& findings);

// The word of a message in a text; "" where there is none.
[[nodiscard]] std::string WordIn(const std::string& text);

}  // namespace writ::chaos
