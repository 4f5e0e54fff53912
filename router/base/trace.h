#pragma once

#include <string>
#include <string_view>

namespace writ::router {

// What a request is a part of, as W3C's Trace Context has it
// (https://www.w3.org/TR/trace-context/): the text of a `traceparent`, `00-<32 hex digits>-<16 hex
// digits>-<2 hex digits>`. Empty: of nothing that is known.

// The header as it counts here, in version 00: a later version is read by the parts that this one
// has, and of the flags only `sampled` is kept. Empty where it is none.
[[nodiscard]] std::string ReadTraceparent(std::string_view header);

// A trace of its own, at random, not sampled: whoever collects traces samples them.
[[nodiscard]] std::string StartTrace();

// What goes on with `piece` of the work: the same trace, and a parent that only this piece has,
// the same one each time. Empty where `traceparent` is.
[[nodiscard]] std::string TraceOfPiece(std::string_view traceparent, std::string_view piece);

// What a log line names it by: the 32 digits. Empty where `traceparent` is.
[[nodiscard]] std::string TraceIdOf(std::string_view traceparent);

}  // namespace writ::router
