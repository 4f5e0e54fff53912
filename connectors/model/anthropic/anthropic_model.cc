#include "connectors/model/anthropic/anthropic_model.h"

#include <optional>
#include <string>
#include <utility>

#include "connectors/model/anthropic/reply.h"
#include "connectors/model/anthropic/request.h"
#include "connectors/model/anthropic/stream.h"
#include "connectors/model/asking_model.h"

namespace writ::connectors {
namespace {

class AnthropicDialect final : public Dialect {
 public:
  explicit AnthropicDialect(ModelOptions options) : options_(std::move(options)) {}

  [[nodiscard]] Written Write(const router::ModelRequest& request, int patience) const override {
    return WriteAnthropicRequest(options_, request, patience);
  }
  [[nodiscard]] std::optional<Read> ReadReply(const std::string& body) const override {
    return ReadAnthropicReply(options_.name, body);
  }
  [[nodiscard]] std::unique_ptr<ReplyStream> OpenStream() const override {
    return OpenAnthropicStream(options_.name);
  }

 private:
  const ModelOptions options_;
};

}  // namespace

std::unique_ptr<router::Model> MakeAnthropicModel(router::HttpClient& http,
                                                  const router::Clock& clock, router::Log& log,
                                                  ModelOptions options) {
  auto dialect = std::make_unique<AnthropicDialect>(options);
  return std::make_unique<AskingModel>(Asking::World{http, clock, log}, std::move(options),
                                       std::move(dialect));
}

}  // namespace writ::connectors
