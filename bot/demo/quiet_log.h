#pragma once

#include <initializer_list>
#include <string_view>

#include "router/base/log.h"

namespace writ::bot {

// Lets only trouble through: the demo's terminal is for its story.
class QuietLog final : public router::Log {
 public:
  explicit QuietLog(router::Log& log) : log_(log) {}  // outlives this

  void Write(Level level, std::string_view event, std::initializer_list<Field> fields) override {
    if (level == Level::kWarning || level == Level::kError) log_.Write(level, event, fields);
  }

 private:
  router::Log& log_;
};

}  // namespace writ::bot
