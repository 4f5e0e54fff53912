#include "bot/demo/page/page_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bot/demo/cast.h"
#include "bot/demo/demo_config.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::size_t kMostMessages = 100;
constexpr std::size_t kMostEntries = 50;

Json Copy(const Json* value) { return value == nullptr ? Json() : *value; }

// Of a message what the page draws.
Json Drawn(const Json& message) {
  const Json user = Copy(message.Find("user"));
  return Json::MakeObject({{"id", message.TextAt("id")},
                           {"user_id", user.TextAt("id")},
                           {"name", user.TextAt("name")},
                           {"text", message.TextAt("text")},
                           {"created_at", message.TextAt("created_at")},
                           {"runtime", Copy(message.Find("support_runtime"))},
                           {"steps", Copy(message.Find("attachments"))}});
}

Json People(const DemoWorld& world) {
  Json people = Json::MakeArray();
  for (const DemoPerson& person : kDemoPeople) {
    people.Push(Json::MakeObject({{"id", person.id},
                                  {"name", person.name},
                                  {"is_member", world.IsMember(person.id)},
                                  {"token", world.TokenOf(person.id)}}));
  }
  return people;
}

Json Messages(const std::vector<Json>& all) {
  Json messages = Json::MakeArray();
  for (std::size_t i = all.size() - std::min(all.size(), kMostMessages); i < all.size(); ++i) {
    messages.Push(Drawn(all[i]));
  }
  return messages;
}

Json Crm(const std::vector<CrmEntry>& log) {
  Json counts = Json::MakeObject();
  for (const char* tool : {"lookup", "refund", "echo"}) {
    counts.Set(tool, static_cast<std::int64_t>(std::ranges::count_if(
                         log, [&](const CrmEntry& entry) { return entry.tool == tool; })));
  }
  Json entries = Json::MakeArray();
  for (std::size_t i = log.size() - std::min(log.size(), kMostEntries); i < log.size(); ++i) {
    const CrmEntry& entry = log[i];
    entries.Push(Json::MakeObject({{"number", static_cast<std::int64_t>(i + 1)},
                                   {"at", router::FormatTime(entry.at)},
                                   {"tool", entry.tool},
                                   {"arguments", entry.arguments.Dump()},
                                   {"answer", entry.answer},
                                   {"failed", entry.failed}}));
  }
  return Json::MakeObject({{"counts", std::move(counts)}, {"log", std::move(entries)}});
}

// How it is with the node, and where its own pages are.
Json Node(DemoWorld& world) {
  return Json::MakeObject(
      {{"running", world.node().running()},
       {"killed", world.WasKilled()},
       {"pid", static_cast<std::int64_t>(world.node().pid())},
       {"url", world.api().url()},
       {"approval_wait_s", static_cast<std::int64_t>(world.approval_wait().count())},
       {"operator_token", world.OperatorToken()}});
}

}  // namespace

Json PageState(DemoWorld& world, router::TimePoint now) {
  const std::string cid(kDemoCid);
  return Json::MakeObject({{"now", router::FormatTime(now)},
                           {"run", router::FormatTime(world.began_at())},
                           {"cid", cid},
                           {"answers", DemoWorld::AnswersTarget()},
                           {"api_key", world.chat().keys().api_key},
                           {"node", Node(world)},
                           {"rule", DemoRule()},
                           {"people", People(world)},
                           {"messages", Messages(world.chat().world().Messages(cid))},
                           {"crm", Crm(world.crm().Log())}});
}

}  // namespace writ::bot
