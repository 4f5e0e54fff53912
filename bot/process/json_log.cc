#include "bot/process/json_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

#include "router/base/json.h"

namespace writ::bot {

struct JsonLog::Sink {
  spdlog::logger logger{"writ", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
};

namespace {

std::string_view NameOf(router::Log::Level level) {
  switch (level) {
    case router::Log::Level::kDebug:
      return "debug";
    case router::Log::Level::kInfo:
      return "info";
    case router::Log::Level::kWarning:
      return "warning";
    case router::Log::Level::kError:
      return "error";
  }
  return "";
}

}  // namespace

JsonLog::JsonLog(const router::Clock& clock) : clock_(clock), sink_(std::make_unique<Sink>()) {
  sink_->logger.set_pattern("%v");  // the line is JSON already
  sink_->logger.set_level(spdlog::level::info);
  sink_->logger.flush_on(spdlog::level::info);
}

JsonLog::~JsonLog() = default;

void JsonLog::Write(Level level, std::string_view event, std::initializer_list<Field> fields) {
  if (level == Level::kDebug) return;
  router::Json line = router::Json::MakeObject(
      {{"time", router::FormatTime(clock_.Now())}, {"level", NameOf(level)}, {"event", event}});
  for (const auto& [name, value] : fields) {
    if (!value.empty()) line.Set(name, phones_.Mark(value));
  }
  sink_->logger.log(spdlog::level::info, line.Dump());
}

}  // namespace writ::bot
