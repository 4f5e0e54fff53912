#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/model/scripted/heard_words.h"
#include "connectors/model/scripted/script.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::Json;
using router::ModelRequest;
using router::Said;

constexpr std::string_view kNoRule = "My script has no line for that.";

// What the conditions look at.
struct Scene {
  std::string user_text;  // without its label
  int rounds = 0;
  const CallsRound* last_round = nullptr;
};

// `Anya (user anya-1): text` is `text`.
std::string WithoutLabel(const std::string& text) {
  const auto end = text.find("): ");
  return end == std::string::npos ? text : text.substr(end + 3);
}

// The text that the turn answers stands before its first round; what was said meanwhile, after it.
Scene SceneOf(const ModelRequest& request) {
  Scene scene;
  for (const auto& entry : request.transcript) {
    if (const auto* round = std::get_if<CallsRound>(&entry)) {
      ++scene.rounds;
      scene.last_round = round;
    } else if (const auto& said = std::get<Said>(entry);
               said.who == Said::Who::kPeople && scene.rounds == 0) {
      scene.user_text = WithoutLabel(said.text);
    }
  }
  return scene;
}

bool IsOffered(const ModelRequest& request, const std::string& name) {
  return std::any_of(request.tools.begin(), request.tools.end(),
                     [&](const auto& tool) { return tool.offered_name == name; });
}

// A script may use the true name, which is offered under another one where it fits no provider.
std::string OfferedNameOf(const ModelRequest& request, const std::string& tool) {
  if (IsOffered(request, tool)) return tool;
  std::string offered = router::OfferNames({tool}).front();
  return IsOffered(request, offered) ? offered : tool;
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool SomeResultContains(const Scene& scene, const std::string& part) {
  return scene.last_round != nullptr &&
         std::any_of(scene.last_round->results.begin(), scene.last_round->results.end(),
                     [&](const auto& result) { return Contains(result.text, part); });
}

bool Fits(const ScriptCondition& when, const Scene& scene, const ModelRequest& request) {
  if (when.last_user_contains && !Contains(scene.user_text, *when.last_user_contains)) return false;
  if (when.last_user_words && !HearWords(*when.last_user_words, scene.user_text)) return false;
  if (when.after_results && *when.after_results != scene.rounds) return false;
  if (when.any_results && *when.any_results != (scene.rounds > 0)) return false;
  if (when.result_contains && !SomeResultContains(scene, *when.result_contains)) return false;
  return !when.tool_offered || IsOffered(request, OfferedNameOf(request, *when.tool_offered));
}

using Placeholders = std::vector<std::pair<std::string, std::string>>;

Placeholders PlaceholdersOf(const ScriptCondition& when, const Scene& scene) {
  std::string all_results;
  std::string last_result;
  if (scene.last_round != nullptr) {
    for (const auto& result : scene.last_round->results) {
      if (!all_results.empty()) all_results += '\n';
      all_results += last_result = result.text;
    }
  }
  Placeholders placeholders{{"{{user_text}}", scene.user_text},
                            {"{{last_result}}", std::move(last_result)},
                            {"{{results}}", std::move(all_results)}};
  if (!when.last_user_words) return placeholders;
  for (auto& [name, number] :
       HearWords(*when.last_user_words, scene.user_text).value_or(HeardNumbers{})) {
    placeholders.emplace_back("{{" + name + "}}", std::move(number));
  }
  return placeholders;
}

// Replaces the placeholders in one walk, so that what a person typed is never filled in turn.
std::string Fill(const std::string& text, const Placeholders& placeholders) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = std::find_if(placeholders.begin(), placeholders.end(), [&](const auto& one) {
      return text.compare(at, one.first.size(), one.first) == 0;
    });
    if (found == placeholders.end()) {
      filled += text[at++];
    } else {
      filled += found->second;
      at += found->first.size();
    }
  }
  return filled;
}

Json FillAll(const Json& value, const Placeholders& placeholders) {
  if (value.IsString()) return Fill(value.string(), placeholders);
  if (value.IsArray()) {
    Json filled = Json::MakeArray();
    for (const Json& item : value.array()) filled.Push(FillAll(item, placeholders));
    return filled;
  }
  if (!value.IsObject()) return value;
  Json filled = Json::MakeObject();
  for (const auto& member : value.object())
    filled.Set(member.key, FillAll(member.value, placeholders));
  return filled;
}

}  // namespace

ScriptedAnswer AnswerFrom(const Script& script, const ModelRequest& request) {
  const Scene scene = SceneOf(request);
  const auto rule =
      std::find_if(script.rules.begin(), script.rules.end(),
                   [&](const ScriptRule& one) { return Fits(one.when, scene, request); });
  ScriptedAnswer answer;
  if (rule == script.rules.end()) {
    answer.reply.text = kNoRule;
    return answer;
  }
  answer.delay = rule->reply.delay;
  const Placeholders placeholders = PlaceholdersOf(rule->when, scene);
  answer.reply.text = Fill(rule->reply.text, placeholders);
  for (const ScriptCall& call : rule->reply.calls) {
    const std::string number =
        std::to_string(scene.rounds) + "_" + std::to_string(answer.reply.calls.size());
    const Json arguments = FillAll(call.arguments, placeholders);
    answer.reply.calls.push_back({"script_" + number, OfferedNameOf(request, call.tool),
                                  arguments.IsString() ? arguments.string() : arguments.Dump()});
  }
  return answer;
}

}  // namespace writ::connectors
