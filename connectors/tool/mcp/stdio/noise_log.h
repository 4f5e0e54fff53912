#pragma once

#include <string>
#include <string_view>

#include "connectors/tool/mcp/stdio/sent_words.h"
#include "router/base/log.h"
#include "router/base/time.h"

namespace writ::connectors {

// What a server's process says on its standard error, in our log: bounded in length and number, and
// without lines that repeat a call's arguments.
class ErrorLog {
 public:
  static constexpr int kLinesASecond = 20;

  // Both must outlive this.
  ErrorLog(router::Log& log, std::string connector, const SentWords& sent)
      : log_(log), connector_(std::move(connector)), sent_(sent) {}

  void Take(std::string_view line, router::SteadyPoint now);
  void TellLeftOut();

 private:
  router::Log& log_;
  const std::string connector_;
  const SentWords& sent_;
  router::SteadyPoint second_{};
  int taken_ = 0;  // in this second
  int left_out_ = 0;
};

}  // namespace writ::connectors
