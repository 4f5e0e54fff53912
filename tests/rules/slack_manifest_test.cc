// config/slack-manifest.json asks for what the code needs, by Slack's own descriptions, and for
// nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "router/base/json.h"
#include "tests/rules/named_tests.h"

namespace writ::tests {
namespace {

using router::Json;

Json JsonOf(const std::string& path) { return router::ParseJson(ContentOf(path)).value.value(); }

// The value below those keys; null where there is none.
Json At(const Json& json, const std::vector<std::string>& keys) {
  const Json* found = &json;
  for (const std::string& key : keys) {
    found = found->Find(key);
    if (found == nullptr) return {};
  }
  return *found;
}

std::set<std::string> Texts(const Json& list) {
  std::set<std::string> texts;
  if (!list.IsArray()) return texts;
  for (const Json& one : list.array()) texts.insert(one.string());
  return texts;
}

// Methods of the Web API that stand in the code's own words.
std::set<std::string> CalledMethods() {
  static const std::regex kMethod(
      R"re("((?:auth|chat|conversations|users|views)\.[a-z][A-Za-z]*)")re");
  std::set<std::string> methods;
  for (const char* folder : {"connectors/chat/slack", "bot/platforms"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".cc") continue;
      const std::string code = ContentOf(entry.path().string());
      for (std::sregex_iterator at(code.begin(), code.end(), kMethod), end; at != end; ++at) {
        methods.insert((*at)[1]);
      }
    }
  }
  return methods;
}

// The description is from 2020: it tells a bot's scope from a user's, and has one of the two
// methods that read what was said.
std::set<std::string> ScopesOf(const std::string& method, const Json& api) {
  const std::string described =
      method == "conversations.history" ? "conversations.replies" : method;
  const Json path = At(api, {"paths", "/" + described});
  EXPECT_TRUE(path.IsObject()) << method << " is not described";
  if (!path.IsObject()) return {};
  std::set<std::string> scopes;
  const Json ways = At(path.object().begin()->value, {"security"});
  for (const Json& way : ways.array()) {
    for (const std::string& scope : Texts(At(way, {"slackAuth"}))) {
      if (scope.starts_with("chat:write")) scopes.insert("chat:write");
      if (!scope.starts_with("chat:write") && scope != "none") scopes.insert(scope);
    }
  }
  return scopes;
}

}  // namespace

TEST(SlackManifest, AsksForTheScopesOfWhatIsCalledAndSubscribedAndForNoOther) {
  const Json manifest = JsonOf("config/slack-manifest.json");
  const Json api = JsonOf("tests/data/specs/slack-web-api.subset.json");
  const Json events = JsonOf("tests/data/specs/slack-events-api.subset.json");
  const std::set<std::string> methods = CalledMethods();
  EXPECT_TRUE(methods.contains("chat.update") && methods.contains("views.open"));
  std::set<std::string> needed;
  for (const std::string& method : methods) needed.merge(ScopesOf(method, api));
  const std::set<std::string> subscribed =
      Texts(At(manifest, {"settings", "event_subscriptions", "bot_events"}));
  for (const std::string& event : subscribed) {
    if (event == "app_mention") {
      needed.insert("app_mentions:read");
      continue;
    }
    const Json scopes = At(events, {"topics", event, "subscribe", "x-scopes-required"});
    EXPECT_FALSE(Texts(scopes).empty()) << event;
    needed.merge(Texts(scopes));
  }
  EXPECT_EQ(Texts(At(manifest, {"oauth_config", "scopes", "bot"})), needed);
  EXPECT_TRUE(Texts(At(manifest, {"oauth_config", "scopes", "user"})).empty());
}

TEST(SlackManifest, SubscribesToEachKindOfMessageThatIsAnswered) {
  const Json manifest = JsonOf("config/slack-manifest.json");
  EXPECT_EQ(Texts(At(manifest, {"settings", "event_subscriptions", "bot_events"})),
            (std::set<std::string>{"app_mention", "message.channels", "message.groups",
                                   "message.im", "message.mpim"}));
}

TEST(SlackManifest, SendsEventsAndPressesToTheOneHook) {
  const Json manifest = JsonOf("config/slack-manifest.json");
  const Json settings = At(manifest, {"settings"});
  const std::string url = "https://YOUR.HOST/v1/hooks/APP";
  EXPECT_EQ(At(settings, {"event_subscriptions"}).TextAt("request_url"), url);
  const Json interactivity = At(settings, {"interactivity"});
  EXPECT_EQ(interactivity.TextAt("request_url"), url);
  EXPECT_EQ(interactivity.BoolAt("is_enabled"), true);
  EXPECT_TRUE(At(JsonOf("docs/openapi.json"), {"paths", "/v1/hooks/{app}", "post"}).IsObject());
  // Over a socket nothing would come here, and a token that is exchanged would stop working.
  EXPECT_EQ(settings.BoolAt("socket_mode_enabled"), false);
  EXPECT_EQ(settings.BoolAt("token_rotation_enabled"), false);
  // Where people may write to it directly.
  const Json home = At(manifest, {"features", "app_home"});
  EXPECT_EQ(home.BoolAt("messages_tab_enabled"), true);
  EXPECT_EQ(home.BoolAt("messages_tab_read_only_enabled"), false);
}

}  // namespace writ::tests
