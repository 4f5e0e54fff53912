#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "connectors/tool/mcp/stdio/sent_words.h"
#include "router/base/log.h"
#include "router/base/time.h"

namespace writ::connectors {

// What a server's process says beside its messages, in our log: bounded in length and number, and
// without lines that repeat what it was given (SentWords). What it says of its own accord, results
// among it, is not known for what it is.
class NoiseLog {
 public:
  static constexpr int kLinesASecond = 20;

  // Both must outlive this.
  NoiseLog(router::Log& log, std::string connector, const SentWords& sent)
      : log_(log), connector_(std::move(connector)), sent_(sent) {}

  // A line on standard error.
  void TakeError(std::string_view line, router::SteadyPoint now);
  // A line on standard output that is no message: its length alone, for it may repeat what was
  // sent.
  void TakeNoMessage(std::size_t bytes, router::SteadyPoint now);
  // A message that nobody can be told of in time.
  void TakeOneTooMany(router::SteadyPoint now);
  void TellLeftOut();

 private:
  // What was taken of one kind within a second: a flood of the one hides nothing of the others.
  struct Taken {
    router::SteadyPoint second{};
    int lines = 0;
  };

  [[nodiscard]] bool HasRoom(Taken& taken, router::SteadyPoint now);

  router::Log& log_;
  const std::string connector_;
  const SentWords& sent_;
  Taken errors_;
  Taken no_messages_;
  Taken too_many_;
  int left_out_ = 0;
};

}  // namespace writ::connectors
