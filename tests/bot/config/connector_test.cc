#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "bot/config/config.h"
#include "tests/bot/config/small_config.h"

namespace writ::bot {
namespace {

using namespace std::chrono_literals;
using router::Approver;
using router::Binding;
using router::ShowArguments;

const std::string kCrm = "/apps/0/agents/0/connectors/0";

Binding BindingWith(const std::string& key, std::string_view value) {
  ConfigRead read = ReadConfig(SmallConfigWith(kCrm + '/' + key, value), NamedSecrets());
  EXPECT_EQ(PointersOf(read), std::vector<std::string>{}) << key;
  return read.config ? read.config->apps[0].agents[0].connectors[0].binding : Binding{};
}

TEST(ConnectorConfig, ABindingWithoutRulesAllowsAllAndHoldsNothing) {
  const Binding binding = BindingWith("id", R"("crm")");
  EXPECT_EQ(binding.id, router::ConnectorId("crm"));
  EXPECT_EQ(binding.allow, std::vector<std::string>{"*"});
  EXPECT_TRUE(binding.deny.empty());
  EXPECT_FALSE(binding.hold_all);
  EXPECT_FALSE(binding.hold_unless_read_only);
  EXPECT_TRUE(binding.hold.empty());
  EXPECT_EQ(binding.approver, Approver::kWriter);
  EXPECT_FALSE(binding.trusted);
  EXPECT_TRUE(binding.idempotent.empty());
  EXPECT_EQ(binding.show_arguments, ShowArguments::kRedacted);
  EXPECT_TRUE(binding.redact.empty());
  EXPECT_EQ(binding.timeout, 30s);
}

TEST(ConnectorConfig, RequireApprovalHasThreeForms) {
  EXPECT_TRUE(BindingWith("require_approval", "true").hold_all);
  const Binding unless = BindingWith("require_approval", R"("unless_read_only")");
  EXPECT_TRUE(unless.hold_unless_read_only);
  EXPECT_FALSE(unless.hold_all);
  const Binding listed = BindingWith("require_approval", R"(["drop_*",
      {"tool": "refund", "when": {"properties": {"amount": {"exclusiveMinimum": 100}}},
       "hint": "More than 100"}])");
  EXPECT_FALSE(listed.hold_all);
  ASSERT_EQ(listed.hold.size(), 2U);
  EXPECT_EQ(listed.hold[0].tool, "drop_*");
  EXPECT_FALSE(listed.hold[0].when);
  EXPECT_EQ(listed.hold[1].tool, "refund");
  EXPECT_EQ(listed.hold[1].hint, "More than 100");
  ASSERT_TRUE(listed.hold[1].when);
  const auto holds = [&](std::string_view arguments) {
    return listed.hold[1].when->Validate(*router::ParseJson(arguments).value).kind ==
           router::SchemaVerdict::Kind::kValid;
  };
  EXPECT_TRUE(holds(R"({"amount": 101})"));
  EXPECT_FALSE(holds(R"({"amount": 100})"));
}

TEST(ConnectorConfig, AnEmptyAllowAllowsNothing) {
  EXPECT_TRUE(BindingWith("allow", "[]").allow.empty());
}

TEST(ConnectorConfig, EachApproverHasItsName) {
  EXPECT_EQ(BindingWith("approver", R"("writer")").approver, Approver::kWriter);
  EXPECT_EQ(BindingWith("approver", R"("backend")").approver, Approver::kBackend);
  EXPECT_EQ(BindingWith("approver", R"("auto_approve")").approver, Approver::kAutoApprove);
  EXPECT_EQ(BindingWith("approver", R"("auto_deny")").approver, Approver::kAutoDeny);
  const Binding why = BindingWith("approver", R"({"auto_deny": {"reason": "not on Sundays"}})");
  EXPECT_EQ(why.approver, Approver::kAutoDeny);
  EXPECT_EQ(why.auto_deny_reason, "not on Sundays");
}

TEST(ConnectorConfig, TheOtherRulesAreTaken) {
  EXPECT_EQ(BindingWith("deny", R"(["drop_table"])").deny, std::vector<std::string>{"drop_table"});
  EXPECT_EQ(BindingWith("idempotent", R"(["get_*"])").idempotent,
            std::vector<std::string>{"get_*"});
  EXPECT_TRUE(BindingWith("trusted", "true").trusted);
  EXPECT_EQ(BindingWith("show_arguments", R"("all")").show_arguments, ShowArguments::kAll);
  EXPECT_EQ(BindingWith("show_arguments", R"("none")").show_arguments, ShowArguments::kNone);
  EXPECT_EQ(BindingWith("redact", R"(["/card/*"])").redact, std::vector<std::string>{"/card/*"});
  EXPECT_EQ(BindingWith("timeout_s", "0.25").timeout, 250ms);
}

std::vector<std::string> FaultsOfTools(std::string_view tools) {
  return PointersOf(ReadConfig(
      SmallConfigWith(kCrm, R"({"id": "orders", "kind": "http", "base_url": "https://o.test",
                               "tools": )" +
                                std::string(tools) + '}'),
      NamedSecrets()));
}

TEST(ConnectorConfig, AnHttpToolIsCheckedBeforeItIsEverCalled) {
  EXPECT_EQ(FaultsOfTools(R"([{"name": "list", "path": "/orders", "input_schema": {}}])"),
            std::vector<std::string>{});
  EXPECT_EQ(FaultsOfTools(R"([{"name": "list", "path": "/a", "input_schema": {}},
                              {"name": "list", "path": "/b", "input_schema": {}}])"),
            std::vector<std::string>{kCrm + "/tools/1/name"});
  EXPECT_EQ(FaultsOfTools(R"([{"name": "list", "path": "/a", "input_schema": {"type": 1}}])"),
            std::vector<std::string>{kCrm + "/tools/0/input_schema"});
  EXPECT_EQ(FaultsOfTools(R"([{"name": "one", "path": "/orders/{id}", "input_schema": {}}])"),
            std::vector<std::string>{kCrm + "/tools/0"});
  EXPECT_EQ(FaultsOfTools(R"([{"name": "x", "path": "/a", "method": "BREW",
                               "input_schema": {}}])"),
            std::vector<std::string>{kCrm + "/tools/0/method"});
}

}  // namespace
}  // namespace writ::bot
