#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace writ::router {

// The port through which the core says what happened. Shared by all threads. Never give it a
// secret, a message's text or a call's arguments: ids, counts, states and reasons only.
class Log {
 public:
  enum class Level { kDebug, kInfo, kWarning, kError };
  using Field = std::pair<std::string_view, std::string>;

  virtual ~Log() = default;
  virtual void Write(Level level, std::string_view event, std::initializer_list<Field> fields) = 0;

  void Info(std::string_view event, std::initializer_list<Field> fields = {}) {
    Write(Level::kInfo, event, fields);
  }
  void Warn(std::string_view event, std::initializer_list<Field> fields = {}) {
    Write(Level::kWarning, event, fields);
  }
  void Error(std::string_view event, std::initializer_list<Field> fields = {}) {
    Write(Level::kError, event, fields);
  }
};

}  // namespace writ::router
