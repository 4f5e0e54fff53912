#include "connectors/model/asking_model.h"

#include <utility>

namespace writ::connectors {

AskingModel::AskingModel(Asking::World world, ModelOptions options,
                         std::unique_ptr<const Dialect> dialect)
    : world_(world), options_(std::move(options)), dialect_(std::move(dialect)) {}

void AskingModel::Ask(router::ModelRequest request, std::stop_token stop,
                      std::function<void(Outcome)> done) {
  Dialect::Written first = dialect_->Write(request, 1);
  TellOf(first.left_out);
  const auto asking = std::make_shared<Asking>(world_, options_, *dialect_, std::move(request),
                                               std::move(stop), std::move(done));
  asking->Start(std::move(first.request));
}

void AskingModel::TellOf(const std::vector<std::string>& left_out) {
  for (const std::string& tool : left_out) {
    {
      const std::lock_guard lock(mutex_);
      if (told_.size() >= kMostTold || !told_.insert(tool).second) continue;
    }
    world_.log.Warn("model.tool_left_out", {{"model", options_.name}, {"tool", tool}});
  }
}

}  // namespace writ::connectors
