#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "router/base/http.h"
#include "router/model/model.h"

namespace writ::connectors {

class ReplyStream;

// What differs between providers of models. Pure; shared by all threads.
class Dialect {
 public:
  struct Written {
    router::HttpRequest request;        // without time limits
    std::vector<std::string> left_out;  // `tool: why`: tools that the provider would refuse
  };
  struct Read {
    router::ModelReply reply;
    bool cut_call = false;  // the limit cut the last call off; `stop` is kCutOff, so it never runs
    std::size_t calls_left_out = 0;  // beyond kMaxCalls
  };

  virtual ~Dialect() = default;

  // `patience` multiplies the limit of output tokens.
  [[nodiscard]] virtual Written Write(const router::ModelRequest& request, int patience) const = 0;
  // Reads the body of a success; nullopt where it is no reply.
  [[nodiscard]] virtual std::optional<Read> ReadReply(const std::string& body) const = 0;
  // Reads the events of a success that comes as a stream.
  [[nodiscard]] virtual std::unique_ptr<ReplyStream> OpenStream() const = 0;
};

}  // namespace writ::connectors
