#include "bot/demo/story.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bot/commands.h"
#include "bot/demo/cast.h"
#include "router/base/json.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::chrono::seconds kLongestWait{30};
constexpr std::string_view kRequest = "Please refund order 42, 450.";

struct StoryStopped {};
struct StoryBroke {
  std::string why;
};

class Story {
 public:
  Story(DemoWorld& world, const std::stop_token& stop) : world_(world), stop_(stop) {}

  void Play();

 private:
  void AnyaWrites();
  void TheCallIsHeld();
  void BenIsRefused();
  void AnyaAllows();
  void TheCrmIsCalledOnce();
  void TheReplyAppears();

  void Tell(std::string_view who, const std::string& what);
  void Quote(const std::string& text);
  void WaitFor(const std::function<bool()>& holds, const char* what);
  void Demand(bool holds, const std::string& otherwise) const;
  [[nodiscard]] std::string AnswerOf(const DemoPerson& person, int expected);
  // The turn's message: the newest of the agent's, once there is one.
  [[nodiscard]] std::optional<Json> Face() const;
  [[nodiscard]] std::optional<Json> Step(std::string_view status) const;

  DemoWorld& world_;
  const std::stop_token& stop_;
};

void Story::Play() {
  AnyaWrites();
  TheCallIsHeld();
  BenIsRefused();
  AnyaAllows();
  TheCrmIsCalledOnce();
  TheReplyAppears();
}

void Story::AnyaWrites() {
  Tell("Anya", "writes in " + std::string(kDemoCid));
  Quote(std::string(kRequest));
  world_.chat().Send(kDemoAnya.id, std::string(kDemoCid), std::string(kRequest));
}

void Story::TheCallIsHeld() {
  WaitFor([&] { return Step("awaiting_approval").has_value(); }, "the call to be held");
  const Json step = *Step("awaiting_approval");
  const Json* approval = step.Find("approval");
  Demand(step.TextAt("target_user_id") == kDemoAnya.id && approval != nullptr,
         "somebody else than Anya was asked");
  Tell("Writ", "holds " + step.TextAt("name") + " and asks Anya, who wrote");
  Quote(approval->TextAt("message"));
  Demand(world_.crm().Log().empty(), "the CRM was called before anybody was asked");
  Tell("CRM", "was not called");
}

void Story::BenIsRefused() {
  Tell("Ben", "tries to allow it: " + AnswerOf(kDemoBen, 403));
  Demand(world_.crm().Log().empty(), "the CRM was called on Ben's word");
}

void Story::AnyaAllows() { Tell("Anya", "allows it: " + AnswerOf(kDemoAnya, 204)); }

void Story::TheCrmIsCalledOnce() {
  WaitFor([&] { return !world_.crm().Log().empty(); }, "the CRM to be called");
  const CrmEntry entry = world_.crm().Log().front();
  Tell("CRM", "runs " + entry.tool + " " + entry.arguments.Dump());
}

void Story::TheReplyAppears() {
  const auto replied = [&] {
    const auto face = Face();
    const Json* runtime = face ? face->Find("support_runtime") : nullptr;
    return runtime != nullptr && runtime->TextAt("state") == "completed";
  };
  WaitFor(replied, "the reply");
  Tell("Helper", "replies");
  Quote(Face()->TextAt("text"));
  const std::size_t calls = world_.crm().Log().size();
  Demand(calls == 1, "the CRM was called " + std::to_string(calls) + " times");
  Tell("CRM", "was called once");
}

void Story::Tell(std::string_view who, const std::string& what) {
  std::printf("%7.*s  %s\n", static_cast<int>(who.size()), who.data(), what.c_str());
  std::fflush(stdout);
}

void Story::Quote(const std::string& text) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::printf("         | %s\n", text.substr(at, end - at).c_str());
    at = end + 1;
  }
  std::fflush(stdout);
}

void Story::WaitFor(const std::function<bool()>& holds, const char* what) {
  const bool came =
      world_.chat().WaitFor([&] { return stop_.stop_requested() || holds(); }, kLongestWait);
  if (stop_.stop_requested()) throw StoryStopped{};
  Demand(came, std::string("waited in vain for ") + what);
}

void Story::Demand(bool holds, const std::string& otherwise) const {
  if (!holds) throw StoryBroke{otherwise};
}

std::string Story::AnswerOf(const DemoPerson& person, int expected) {
  const WritAnswer answer =
      world_.AnswerAs(person.id, Step("awaiting_approval").value_or(Json::MakeObject()), true);
  const router::JsonParsed problem = router::ParseJson(answer.body);
  const std::string code = problem.value ? problem.value->TextAt("code") : "";
  std::string words = std::to_string(answer.status) + (code.empty() ? "" : " " + code);
  Demand(answer.status == expected, std::string(person.name) + "'s answer got " + words);
  return words;
}

std::optional<Json> Story::Face() const {
  std::optional<Json> face;
  for (Json& message : world_.chat().world().Messages(std::string(kDemoCid))) {
    const Json* user = message.Find("user");
    if (user != nullptr && user->TextAt("id") == kDemoAgent.id) face = std::move(message);
  }
  return face;
}

std::optional<Json> Story::Step(std::string_view status) const {
  const auto face = Face();
  const Json* steps = face ? face->Find("attachments") : nullptr;
  if (steps == nullptr || !steps->IsArray()) return std::nullopt;
  for (const Json& step : steps->array()) {
    if (step.TextAt("status") == status) return step;
  }
  return std::nullopt;
}

}  // namespace

int PlayStory(DemoWorld& world, const std::stop_token& stop) {
  try {
    Story(world, stop).Play();
  } catch (const StoryStopped&) {
    std::printf("stopped\n");
  } catch (const StoryBroke& broke) {
    std::fprintf(stderr, "writ: the story broke: %s\n", broke.why.c_str());
    return kFailedWhileRunning;
  }
  return kDone;
}

}  // namespace writ::bot
