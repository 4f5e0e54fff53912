#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>

#include "bot/process/phone_marks.h"
#include "router/base/log.h"
#include "router/base/time.h"

namespace writ::bot {

// One JSON object a line on stderr. No phone number stands in it (PhoneMarks).
class JsonLog final : public router::Log {
 public:
  explicit JsonLog(const router::Clock& clock);
  ~JsonLog() override;
  JsonLog(const JsonLog&) = delete;
  JsonLog& operator=(const JsonLog&) = delete;

  void Write(Level level, std::string_view event, std::initializer_list<Field> fields) override;

 private:
  struct Sink;
  const router::Clock& clock_;
  const PhoneMarks phones_;
  std::unique_ptr<Sink> sink_;
};

}  // namespace writ::bot
