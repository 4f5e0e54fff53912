// The decision log from outside: what stands in it, and that whatever is done to it shows.
#include <fstream>
#include <sstream>

#include "tests/support/stage/event_sink.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

using Types = std::vector<std::string>;

WorldOptions Audited(const Json& more = Json::MakeObject()) {
  return {.config = [more](Json& config) {
    Json audit = Json::MakeObject({{"secret", "the audit secret"}});
    for (const router::JsonMember& member : more.object()) audit.Set(member.key, member.value);
    config.Set("audit", std::move(audit));
  }};
}

// `writ audit …` beside the running node; its exit code and what it printed.
struct Ran {
  int code = -1;
  std::string output;
};
Ran RunAudit(World& world, std::vector<std::string> arguments) {
  std::vector<std::string> command{PathOfWrit(), "audit"};
  for (std::string& argument : arguments) command.push_back(std::move(argument));
  command.insert(command.end(), {"--config", world.File("writ.json"), "--url",
                                 "http://127.0.0.1:" + std::to_string(world.api().port())});
  Program program(command, {}, world.File("audit.log"));
  Ran ran;
  ran.code = program.WaitForEnd().value_or(-1);
  ran.output = program.output();
  return ran;
}

Lines LinesOf(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(router::ParseJson(line).value.value());
  }
  return lines;
}

std::string TextOf(const Lines& lines) {
  std::string text;
  for (const Json& line : lines) text += line.Dump() + '\n';
  return text;
}

Lines ExportOf(World& world) {
  const Ran ran = RunAudit(world, {"export"});
  EXPECT_EQ(ran.code, 0);
  return LinesOf(ran.output);
}

// The export once so many entries are in it and all of them are sealed.
Lines SealedExport(World& world, std::size_t entries) {
  Lines lines;
  EXPECT_TRUE(Eventually([&] {
    lines = ExportOf(world);
    return lines.size() == entries + 1 && lines.back().Find("head") != nullptr &&
           lines[entries - 1].IntAt("seal") == static_cast<std::int64_t>(entries);
  }));
  return lines;
}

Types TypesOf(const Lines& lines) {
  Types types;
  for (const Json& line : lines) {
    if (const Json* entry = line.Find("entry")) types.push_back(entry->TextAt("type"));
  }
  return types;
}

Ran VerifyFile(World& world, const Lines& lines, std::vector<std::string> more = {}) {
  std::ofstream(world.File("export.jsonl")) << TextOf(lines);
  std::vector<std::string> arguments{"verify", world.File("export.jsonl")};
  for (std::string& one : more) arguments.push_back(std::move(one));
  return RunAudit(world, std::move(arguments));
}

HeldCall PlayStory(World& world) {
  world.Say("anya-1", kAsk);
  HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForEnds(1);
  return held;
}

const Types kStory = {"asked", "decided", "used", "finished"};

}  // namespace

TEST(Audit, AStoryIsKeptWithWhoDecidedAndHowTheyWereKnown) {
  World world(Audited());
  const HeldCall held = PlayStory(world);
  const Lines lines = SealedExport(world, kStory.size());
  ASSERT_EQ(TypesOf(lines), kStory);
  const Json& decided = *lines[1].Find("entry");
  EXPECT_EQ(decided.TextAt("approval_id"), held.request);
  EXPECT_EQ(decided.TextAt("decided_by"), "user:anya-1");
  EXPECT_EQ(decided.TextAt("authenticated_by"), "user_token");
  EXPECT_EQ(decided.TextAt("args_mark"), held.step.TextAt("args_mark"));
  EXPECT_EQ(decided.IntAt("number"), 2);
  EXPECT_EQ(TextOf(lines).find("shift 42"), std::string::npos) << "no argument and no result";
  const Ran verified = VerifyFile(world, lines);
  EXPECT_EQ(verified.code, 0) << verified.output;
  EXPECT_NE(verified.output.find("acme: 4 sealed entries"), std::string::npos);
  EXPECT_NE(verified.output.find("without a head"), std::string::npos);
  EXPECT_EQ(RunAudit(world, {"verify"}).code, 0) << "a running node's, too";
}

TEST(Audit, BackendsAndOperatorsAreToldApart) {
  World world(Audited());
  const auto decide = [&](const Caller& caller, const std::string& words) {
    world.Say("anya-1", AskWith(words));
    const HeldCall held = world.WaitForHeld();
    EXPECT_EQ(world.api()
                  .Post(caller, "/v1/approvals/" + held.request + "/decision",
                        Json::MakeObject({{"allowed", false}, {"reason", "no"}}))
                  .status,
              200);
    EXPECT_EQ(world.WaitForOutcome(held), "declined");
  };
  decide(world.Backend(), "one");
  const auto& keys = world.chat().keys();
  decide(WithToken(keys.api_key, keys.api_secret,
                   Json::MakeObject({{"writ", "operator"}, {"exp", INT64_C(4000000000)}})),
         "two");
  const Lines lines = SealedExport(world, 4);
  ASSERT_EQ(TypesOf(lines), (Types{"asked", "decided", "asked", "decided"}));
  EXPECT_EQ(lines[1].Find("entry")->TextAt("authenticated_by"), "server_token");
  EXPECT_EQ(lines[3].Find("entry")->TextAt("authenticated_by"), "operator_token");
  EXPECT_EQ(lines[3].Find("entry")->BoolAt("approved"), false);
}

TEST(Audit, WhateverIsDoneToAnExportShows) {
  World world(Audited());
  (void)PlayStory(world);
  const Lines lines = SealedExport(world, kStory.size());
  const std::string head = lines.back().TextAt("head");
  EXPECT_EQ(VerifyFile(world, lines, {"--head", head}).code, 0);
  const auto faults = [&](const Lines& changed) {
    const Ran ran = VerifyFile(world, changed);
    EXPECT_EQ(ran.code, 1) << ran.output;
    return ran.output;
  };
  Lines changed = lines;
  changed[1].Find("entry")->Set("approved", false);
  EXPECT_NE(faults(changed).find("entry 2 was changed"), std::string::npos);
  Lines removed = lines;
  removed.erase(removed.begin() + 1);
  EXPECT_NE(faults(removed).find("entry 2 was removed"), std::string::npos);
  Lines reordered = lines;
  std::swap(reordered[1], reordered[2]);
  EXPECT_NE(faults(reordered).find("entry 3 stands where entry 2 is expected"), std::string::npos);
  Lines forged = lines;
  forged[0] = Json::MakeObject(
      {{"app_id", "acme"},
       {"checkpoint", Json::MakeObject({{"head", "acme:1:" + lines[0].TextAt("mac")},
                                        {"made_at", "2026-11-29T09:30:00Z"},
                                        {"mac", std::string(64, 'a')}})}});
  EXPECT_NE(faults(forged).find("the checkpoint is forged"), std::string::npos);
  Lines cut = lines;
  cut.resize(2);
  const Ran without = VerifyFile(world, cut);
  EXPECT_EQ(without.code, 0) << "without a head nothing shows it";
  EXPECT_NE(without.output.find("it can't be seen whether entries behind entry 2 were cut off"),
            std::string::npos);
  const Ran with = VerifyFile(world, cut, {"--head", head});
  EXPECT_EQ(with.code, 1);
  EXPECT_NE(with.output.find("the end was cut off"), std::string::npos);
  EXPECT_EQ(VerifyFile(world, lines, {"--head", "acme:1"}).code, 2);
}

TEST(Audit, HeadsArePublishedInTheLogAndToTheBackend) {
  EventSink sink;
  WorldOptions options = Audited();
  options.config = [add = options.config, &sink](Json& config) {
    add(config);
    config.Find("apps")->array()[0].Set("events", sink.Config());
  };
  World world(options);
  (void)PlayStory(world);
  const Lines lines = SealedExport(world, kStory.size());
  const std::string head = lines.back().TextAt("head");
  EXPECT_TRUE(Eventually([&] { return world.Log().find(head) != std::string::npos; }));
  ASSERT_TRUE(Eventually([&] {
    for (const Json& event : sink.Taken()) {
      if (event.TextAt("type") == "audit.head" && event.Find("data")->TextAt("head") == head) {
        return true;
      }
    }
    return false;
  }));
}

TEST(Audit, TheChainGoesOnAfterARestart) {
  World world(Audited());
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.Restart();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForEnds(1);
  const Lines lines = SealedExport(world, kStory.size());
  EXPECT_EQ(TypesOf(lines), kStory);
  EXPECT_EQ(VerifyFile(world, lines).code, 0);
}

TEST(Audit, WhatIsTooOldIsRemovedAndItsCheckpointVerifies) {
  World world(Audited(Json::MakeObject({{"retention_days", Json::Number("1e-05")}})));  // a second
  (void)PlayStory(world);
  const std::string head = SealedExport(world, kStory.size()).back().TextAt("head");
  // The next round that removes comes with the next start.
  ASSERT_TRUE(Eventually([&] {
    world.Restart();
    const Lines lines = ExportOf(world);
    return !lines.empty() && lines[0].Find("checkpoint") != nullptr && TypesOf(lines).empty();
  }));
  world.AddChannel("callouts:team-2");
  world.Say("anya-1", kAsk, "callouts:team-2");
  (void)world.WaitForHeld("callouts:team-2");
  ASSERT_TRUE(Eventually([&] { return TypesOf(ExportOf(world)) == Types{"asked"}; }));
  const Lines lines = ExportOf(world);
  const Ran verified = VerifyFile(world, lines, {"--head", head});
  EXPECT_EQ(verified.code, 0) << verified.output;
  EXPECT_NE(verified.output.find("a checkpoint for the 4 before them"), std::string::npos);
}

TEST(Audit, TheLogIsTheBackendsAlone) {
  World world(Audited());
  EXPECT_EQ(world.api().Get(world.As("anya-1"), "/v1/audit").text(), "403 forbidden");
  EXPECT_EQ(world.api().Get(world.Backend(), "/v1/audit?limit=0").text(), "422 invalid_request");
  const ApiReply empty = world.api().Get(world.Backend(), "/v1/audit");
  EXPECT_EQ(empty.status, 200);
  EXPECT_EQ(empty.body, R"({"checkpoint":null,"entries":[],"next_after":null,"head":null})");
}

TEST(Audit, ARefusedCallIsKept) {
  World world(Audited());
  world.Say("anya-1", R"(!crm__refund {"amount":"many"})");
  world.WaitForEnds(1);
  const Lines lines = SealedExport(world, 1);
  ASSERT_EQ(TypesOf(lines), Types{"refused"});
  EXPECT_EQ(lines[0].Find("entry")->TextAt("status"), "invalid_arguments");
}

}  // namespace writ::tests
