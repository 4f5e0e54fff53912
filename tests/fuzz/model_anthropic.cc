// Replies of a model that speaks Anthropic's dialect: whole, streamed, or an error.
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "connectors/model/anthropic/reply.h"
#include "connectors/model/anthropic/stream.h"
#include "tests/fuzz/model_reply.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

class Anthropic : public connectors::Dialect {
 public:
  [[nodiscard]] Written Write(const router::ModelRequest& /*request*/,
                              int /*patience*/) const override {
    throw std::logic_error("nothing is asked");
  }
  [[nodiscard]] std::optional<Read> ReadReply(const std::string& body) const override {
    return connectors::ReadAnthropicReply("m", body);
  }
  [[nodiscard]] std::unique_ptr<connectors::ReplyStream> OpenStream() const override {
    return connectors::OpenAnthropicStream("m");
  }
};

void Fuzz(std::string_view input) { FuzzModelReply(Anthropic{}, input); }

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(model_anthropic, writ::fuzz::Fuzz)
