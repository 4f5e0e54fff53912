#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "connectors/model/asking.h"
#include "connectors/model/dialect.h"
#include "connectors/model/model_options.h"
#include "router/model/model.h"

namespace writ::connectors {

// A model at a provider, whichever dialect it speaks.
class AskingModel final : public router::Model {
 public:
  AskingModel(Asking::World world, ModelOptions options, std::unique_ptr<const Dialect> dialect);

  void Ask(router::ModelRequest request, std::stop_token stop,
           std::function<void(Outcome)> done) override;

 private:
  // Once a tool, and of so many at most: a request is made again and again, and a server may list
  // other names each time.
  static constexpr std::size_t kMostTold = 1000;
  void TellOf(const std::vector<std::string>& left_out);

  const Asking::World world_;
  const ModelOptions options_;
  const std::unique_ptr<const Dialect> dialect_;
  std::mutex mutex_;            // guards told_
  std::set<std::string> told_;  // tools that the log has been told of
};

}  // namespace writ::connectors
