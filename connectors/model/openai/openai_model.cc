#include "connectors/model/openai/openai_model.h"

#include <optional>
#include <string>
#include <utility>

#include "connectors/model/asking_model.h"
#include "connectors/model/openai/reply.h"
#include "connectors/model/openai/request.h"
#include "connectors/model/openai/stream.h"

namespace writ::connectors {
namespace {

class OpenAiDialect final : public Dialect {
 public:
  explicit OpenAiDialect(ModelOptions options) : options_(std::move(options)) {}

  [[nodiscard]] Written Write(const router::ModelRequest& request, int patience) const override {
    return WriteOpenAiRequest(options_, request, patience);
  }
  [[nodiscard]] std::optional<Read> ReadReply(const std::string& body) const override {
    return ReadOpenAiReply(options_.name, body);
  }
  [[nodiscard]] std::unique_ptr<ReplyStream> OpenStream() const override {
    return OpenOpenAiStream(options_.name);
  }

 private:
  const ModelOptions options_;
};

}  // namespace

std::unique_ptr<router::Model> MakeOpenAiModel(router::HttpClient& http, const router::Clock& clock,
                                               router::Log& log, ModelOptions options) {
  auto dialect = std::make_unique<OpenAiDialect>(options);
  return std::make_unique<AskingModel>(Asking::World{http, clock, log}, std::move(options),
                                       std::move(dialect));
}

}  // namespace writ::connectors
