#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "connectors/model/asking.h"
#include "connectors/model/model_options.h"
#include "router/base/json.h"
#include "router/model/model.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

inline connectors::ModelOptions TestOptions() {
  connectors::ModelOptions options;
  options.name = "m-1";
  options.api_key = "sk-secret";
  return options;
}

inline router::Said People(std::string text) {
  return {router::Said::Who::kPeople, std::move(text)};
}

inline router::OfferedTool EchoTool() {
  return {
      "crm__echo", "Echo",
      *router::ParseJson(R"({"type":"object","properties":{"message":{"type":"string"}}})").value};
}

inline router::ModelRequest AnyasRequest() {
  router::ModelRequest request;
  request.instructions = "You help the shift team.";
  request.transcript = {People("Anya (user anya-1): check the crm")};
  request.tools = {EchoTool()};
  return request;
}

inline router::Json Parsed(const std::string& text) {
  return router::ParseJson(text).value.value();
}

// A model with a network, a clock and a log that a test moves.
struct Stage {
  FakeClock clock;
  FakeHttp http;
  RecordingLog log;
  std::stop_source stop;
  std::optional<router::Model::Outcome> outcome;
  int times_done = 0;

  void Ask(router::Model& model, router::ModelRequest request) {
    model.Ask(std::move(request), stop.get_token(), [this](router::Model::Outcome came) {
      outcome = std::move(came);
      ++times_done;
    });
  }
  void Pass(std::chrono::milliseconds by) {
    clock.Advance(by);
    http.Advance(by);
  }
  [[nodiscard]] const router::ModelReply* reply() const {
    return outcome ? std::get_if<router::ModelReply>(&*outcome) : nullptr;
  }
  [[nodiscard]] const router::ModelFailure* failure() const {
    return outcome ? std::get_if<router::ModelFailure>(&*outcome) : nullptr;
  }
};

}  // namespace writ::tests
