#pragma once

#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "router/base/json.h"
#include "tests/support/stage/world.h"

namespace writ::tests {

using router::Json;

// A case of a table is called by its name.
template <class Case>
requires requires(const Case& one) {
  { one.name } -> std::convertible_to<std::string>;
}
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

// A message that makes the model call the held tool; what the CRM is to get.
inline const std::string kShift = R"({"message":"shift 42"})";
inline const std::string kAsk = "!crm__echo " + kShift;
inline const std::string kLookup = R"(!crm__lookup {"name":"anya"})";

// One that calls it with other words.
[[nodiscard]] inline std::string AskWith(const std::string& words) {
  return R"(!crm__echo {"message":")" + words + R"("})";
}

// Limits of the agent, in seconds or counts.
[[nodiscard]] inline std::function<void(Json&)> Limits(
    std::vector<std::pair<std::string, Json>> limits) {
  return [limits = std::move(limits)](Json& agent) {
    for (const auto& [name, value] : limits) agent.Find("limits")->Set(name, value);
  };
}

// Ends the model's wait until the test lets it go on.
[[nodiscard]] inline StubModel::Does Hangs() {
  return [](const StubModel::Asked& asked) {
    StubModel::Reply reply = StubModel::ByDefault(asked);
    reply.hangs = true;
    return reply;
  };
}

[[nodiscard]] inline std::size_t CountOf(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

using Lines = std::vector<Json>;

// The log's lines that fit; each line of it must be an object. What has no end yet is being
// written.
template <class Fits>
[[nodiscard]] Lines LinesOf(const World& world, const Fits& fits) {
  Lines found;
  std::istringstream lines(world.Log());
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    auto json = router::ParseJson(line).value;
    EXPECT_TRUE(json && json->IsObject()) << line;
    if (json && fits(*json)) found.push_back(*std::move(json));
  }
  return found;
}

[[nodiscard]] inline std::string StateOf(const Json& message) {
  const Json* runtime = message.Find("support_runtime");
  return runtime == nullptr ? "" : runtime->TextAt("state");
}

[[nodiscard]] inline const Json::Array& StepsOf(const Json& message) {
  static const Json::Array kNone;
  const Json* steps = message.Find("attachments");
  return steps == nullptr ? kNone : steps->array();
}

// What the last request of that text told the model of its calls.
[[nodiscard]] inline std::vector<std::string> ToldAbout(World& world, const std::string& text) {
  const auto asked = world.model().AskedAbout(text);
  return asked.empty() ? std::vector<std::string>{} : asked.back().results;
}

}  // namespace writ::tests
