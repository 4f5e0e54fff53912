#include "bot/routes/trace_of.h"

#include "router/base/trace.h"

namespace writ::bot {

std::string TraceOf(const Request& request) {
  const std::string* header = request.Header("traceparent");
  std::string trace = header != nullptr ? router::ReadTraceparent(*header) : std::string();
  return trace.empty() ? router::StartTrace() : trace;
}

}  // namespace writ::bot
