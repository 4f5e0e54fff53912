#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/model/reply_stream.h"

namespace writ::tests {

// What came of a stream's events, each the data of one.
struct Came {
  using Progress = connectors::ReplyStream::Progress;

  std::optional<connectors::Dialect::Read> read;
  std::string text;
  Progress last = Progress::kMore;
};

inline Came TakeAll(connectors::ReplyStream& stream, const std::vector<std::string>& events) {
  Came came;
  for (const std::string& event : events) {
    came.last = stream.Take(event);
    if (came.last != Came::Progress::kMore) break;
  }
  came.text = stream.text();
  if (came.last != Came::Progress::kVoid) came.read = stream.Finish();
  return came;
}

}  // namespace writ::tests
