#include "connectors/model/scripted/script.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <utility>

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::int64_t kLongestDelayMs = 600000;

// Thrown and caught within this file: a script has many places to be wrong in.
struct Wrong {
  std::string what;
};

[[noreturn]] void Refuse(const std::string& at, const std::string& why) {
  throw Wrong{(at.empty() ? "the script" : at) + ": " + why};
}

void DemandObject(const Json& value, const std::string& at,
                  std::initializer_list<std::string_view> keys) {
  if (!value.IsObject()) Refuse(at, "not an object");
  for (const auto& member : value.object()) {
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) {
      Refuse(at, "unknown key " + member.key);
    }
  }
}

std::optional<std::string> OptionalText(const Json& holder, std::string_view key,
                                        const std::string& at) {
  const Json* value = holder.Find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->IsString()) Refuse(at + "/" + std::string(key), "not a string");
  return value->string();
}

ScriptCondition ReadCondition(const Json& value, const std::string& at) {
  DemandObject(value, at,
               {"last_user_contains", "last_user_words", "after_results", "result_contains",
                "tool_offered"});
  ScriptCondition when;
  when.last_user_contains = OptionalText(value, "last_user_contains", at);
  when.last_user_words = OptionalText(value, "last_user_words", at);
  when.result_contains = OptionalText(value, "result_contains", at);
  when.tool_offered = OptionalText(value, "tool_offered", at);
  if (const Json* after = value.Find("after_results")) {
    if (after->IsBool()) {
      when.any_results = after->boolean();
    } else if (const auto rounds = after->ToInt(); rounds && *rounds >= 0 && *rounds < 1000) {
      when.after_results = static_cast<int>(*rounds);
    } else {
      Refuse(at + "/after_results", "neither a boolean nor a number of rounds");
    }
  }
  return when;
}

ScriptCall ReadCall(const Json& value, const std::string& at) {
  DemandObject(value, at, {"tool", "arguments"});
  const auto tool = OptionalText(value, "tool", at);
  if (!tool) Refuse(at + "/tool", "missing");
  const Json* arguments = value.Find("arguments");
  if (arguments == nullptr) return {*tool, Json::MakeObject()};
  if (!arguments->IsObject() && !arguments->IsString()) {
    Refuse(at + "/arguments", "neither an object nor a string");
  }
  return {*tool, *arguments};
}

ScriptReply ReadReply(const Json& value, const std::string& at) {
  DemandObject(value, at, {"text", "calls", "delay_ms"});
  ScriptReply reply;
  reply.text = OptionalText(value, "text", at).value_or("");
  if (const Json* calls = value.Find("calls")) {
    if (!calls->IsArray()) Refuse(at + "/calls", "not an array");
    for (std::size_t i = 0; i < calls->array().size(); ++i) {
      reply.calls.push_back(ReadCall(calls->array()[i], at + "/calls/" + std::to_string(i)));
    }
  }
  if (const Json* delay = value.Find("delay_ms")) {
    const auto delay_ms = delay->ToInt();
    if (!delay_ms || *delay_ms < 0 || *delay_ms > kLongestDelayMs) {
      Refuse(at + "/delay_ms", "no whole number of milliseconds up to 600000");
    }
    reply.delay = std::chrono::milliseconds(*delay_ms);
  }
  return reply;
}

ScriptRule ReadRule(const Json& value, const std::string& at) {
  DemandObject(value, at, {"when", "reply"});
  ScriptRule rule;
  if (const Json* when = value.Find("when")) rule.when = ReadCondition(*when, at + "/when");
  const Json* reply = value.Find("reply");
  if (reply == nullptr) Refuse(at + "/reply", "missing");
  rule.reply = ReadReply(*reply, at + "/reply");
  return rule;
}

}  // namespace

std::variant<Script, ScriptFault> ParseScript(std::string_view text) {
  const router::JsonParsed parsed = router::ParseJson(text);
  if (!parsed.value) return ScriptFault{"the script: " + parsed.fault};
  if (!parsed.value->IsArray()) return ScriptFault{"the script: not an array of rules"};
  try {
    Script script;
    const Json::Array& rules = parsed.value->array();
    for (std::size_t i = 0; i < rules.size(); ++i) {
      script.rules.push_back(ReadRule(rules[i], "/" + std::to_string(i)));
    }
    return script;
  } catch (const Wrong& wrong) {
    return ScriptFault{wrong.what};
  }
}

std::variant<Script, ScriptFault> LoadScript(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return ScriptFault{"can't read " + path};
  return ParseScript(text.str());
}

}  // namespace writ::connectors
