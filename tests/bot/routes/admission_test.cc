#include "bot/routes/admission.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "bot/http/message.h"
#include "store/engine_load.h"

namespace writ::bot {
namespace {

using std::chrono::milliseconds;

Message RequestOf(std::string target, std::string body) {
  Message message;
  message.method = "POST";
  message.target = std::move(target);
  message.body = std::move(body);
  return message;
}

TEST(Admission, OnlyWhatBeginsSomethingMayWait) {
  EXPECT_TRUE(MayWait(RequestOf("/v1/hooks/acme", R"({"type":"message.new"})")));
  EXPECT_TRUE(MayWait(RequestOf("/v1/hooks/acme", "\x1f\x8b packed")));
  EXPECT_TRUE(MayWait(RequestOf("/v1/hooks/acme", "")));
  EXPECT_FALSE(MayWait(RequestOf("/v1/hooks/acme", "payload=%7B%22type%22"))) << "a click";
  EXPECT_FALSE(MayWait(RequestOf("/v1/hooks/acme", "Body=APPROVE+K7"))) << "a text";
  EXPECT_FALSE(MayWait(RequestOf("/v1/agents/conversations/a:b/tool_approvals", "{}")));
  EXPECT_FALSE(MayWait(RequestOf("/v1/approvals/apr_1/decision", "{}")));
  EXPECT_FALSE(MayWait(RequestOf("/healthz", "")));

  const std::string sessions = "/v1/agents/sessions";
  EXPECT_TRUE(MayWait(RequestOf(sessions, "{}")));
  EXPECT_TRUE(MayWait(RequestOf(sessions + "?api_key=k1", "{}")));
  EXPECT_TRUE(MayWait(RequestOf(sessions + "/ses_1/commands", "{}")));
  EXPECT_TRUE(MayWait(RequestOf(sessions + "/ses_1/commands?api_key=k1", "{}")));
  for (const char* of_one : {"/ses_1", "/ses_1/tool_approvals", "/ses_1/commands/cmd_1",
                             "/ses_1/commands/cmd_1/cancel", "/ses_1/commands/commands/cancel",
                             "/commands", "/ses_1?x=/commands", "/ses_1/x/commands"}) {
    EXPECT_FALSE(MayWait(RequestOf(sessions + of_one, "{}"))) << of_one;
  }
  Message list = RequestOf(sessions, "");
  list.method = "GET";
  EXPECT_FALSE(MayWait(list));
}

TEST(Admission, EventsAreTakenUntilOneLimitIsReached) {
  store::EngineLoad store;
  std::size_t to_open = 0;
  bool has_room = true;
  const Admission admission(
      {milliseconds(100), 10, 1000}, [&] { return store; }, [&] { return to_open; },
      [&] { return has_room; });
  store = {50, milliseconds(100), 999};
  to_open = 9;
  EXPECT_EQ(admission.WhyNot(), std::nullopt);
  store.longest_wait = milliseconds(101);
  EXPECT_EQ(admission.WhyNot(), "store_slow");
  store = {0, milliseconds(0), 1000};
  EXPECT_EQ(admission.WhyNot(), "store_full");
  store.bytes = 999;
  to_open = 10;
  EXPECT_EQ(admission.WhyNot(), "behind");
  to_open = 9;
  has_room = false;
  EXPECT_EQ(admission.WhyNot(), "turns");
  has_room = true;
  EXPECT_EQ(admission.WhyNot(), std::nullopt);
}

}  // namespace
}  // namespace writ::bot
