#pragma once

#include "connectors/model/scripted/script.h"
#include "router/base/http.h"
#include "router/model/model.h"

namespace writ::connectors {

// A model that answers from a script: the same request gets the same reply, for demos and tests.
// The client only keeps the time; it must outlive the model.
class ScriptedModel final : public router::Model {
 public:
  ScriptedModel(router::HttpClient& http, Script script)
      : http_(http), script_(std::move(script)) {}

  void Ask(router::ModelRequest request, std::stop_token stop,
           std::function<void(Outcome)> done) override;

 private:
  router::HttpClient& http_;
  const Script script_;
};

}  // namespace writ::connectors
