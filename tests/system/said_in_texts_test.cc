// Whose language the channel is spoken to in.
#include "tests/system/story.h"

namespace writ::tests {

TEST(Texts, AnAskIsInItsWritersLanguageAndInTheConfigurationsWords) {
  World world({.agent = [](Json& agent) {
    agent.Set("texts", *router::ParseJson(R"({
        "en": {"allow": "Go ahead"},
        "de": {"ask": "{name}: darf {call} laufen?", "allow": "Erlauben",
               "allow_question": "{call} erlauben?", "summary_done": "Erledigt"}})")
                            .value);
  }});
  world.chat().world().UpsertUsers(
      *router::ParseJson(R"({"users":{"anya-1":{"id":"anya-1","name":"Anya","language":"de"}}})")
           .value);
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.step.Find("approval")->TextAt("title"), "crm__echo erlauben?");
  EXPECT_EQ(held.step.Find("approval")->TextAt("allow_title"), "Erlauben");
  EXPECT_EQ(held.step.Find("approval")->TextAt("decline_title"), "Decline") << "as in English";
  const std::string text = world.BotMessages().back().TextAt("text");
  EXPECT_TRUE(text.starts_with("Anya (user anya-1): darf crm__echo laufen?\n")) << text;
  EXPECT_NE(text.find("shift 42"), std::string::npos) << "the arguments stand there all the same";
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(world.StepOf(held).TextAt("summary"), "Erledigt");
  world.WaitForEnds(1);

  world.Say("ben-2", kAsk);
  EXPECT_EQ(world.WaitForHeld().step.Find("approval")->TextAt("allow_title"), "Go ahead");
}

}  // namespace writ::tests
