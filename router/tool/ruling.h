#pragma once

#include <string>
#include <vector>

#include "router/tool/check.h"

namespace writ::router {

// What the app's backend says of a call before it is made (`before_call`, contract section 6).
struct Ruling {
  enum class Kind {
    kAllow,
    kBlock,
    kShortCircuit,  // nothing is sent: `result` is the call's
  };
  Kind kind = Kind::kBlock;
  std::string reason;  // kBlock: as the model is told
  std::string result;  // kShortCircuit: a text as it is, any other value as JSON
  std::string fault;   // kBlock where there was no usable answer: why, for the log
};

// What such an answer may hold beside what it repeats.
[[nodiscard]] std::vector<std::string> RulingKeys();

// Anything but a good answer blocks.
[[nodiscard]] Ruling RulingOf(const CheckOutcome& outcome);

}  // namespace writ::router
