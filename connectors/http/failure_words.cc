#include "connectors/http/failure_words.h"

namespace writ::connectors {

std::string WordsFor(router::HttpFailure::Kind kind) {
  using Kind = router::HttpFailure::Kind;
  switch (kind) {
    case Kind::kNotSent:
      return "it could not be reached";
    case Kind::kTimedOut:
      return "no whole answer came in time";
    case Kind::kBroken:
      return "the connection broke before the answer was there";
    case Kind::kTooLarge:
      return "the answer was larger than allowed";
    case Kind::kCancelled:
      return "nobody waited for the answer any more";
  }
  return "";
}

}  // namespace writ::connectors
