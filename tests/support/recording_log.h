#pragma once

#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>

#include "router/base/log.h"

namespace writ::tests {

// Keeps what was logged as text: `event key=value …`, a line each.
class RecordingLog final : public router::Log {
 public:
  void Write(Level /*level*/, std::string_view event,
             std::initializer_list<Field> fields) override {
    const std::lock_guard lock(mutex_);
    text_ += event;
    for (const auto& [key, value] : fields) {
      text_ += ' ';
      text_ += key;
      text_ += '=' + value;
    }
    text_ += '\n';
  }
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;  // guards text_
  std::string text_;
};

}  // namespace writ::tests
