#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <variant>
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

TEST(ConnectorConfig, TheRulesBeforeACallAreTaken) {
  const Binding binding = BindingWith("before_call", R"({
      "deny": ["drop_*", {"tool": "refund", "when": {"required": ["amount"]}, "reason": "no"}],
      "max_arguments_bytes": 4096,
      "budgets": {"writer": {"calls_per_minute": 10}, "channel": {"tokens_per_day": 50000}}})");
  ASSERT_EQ(binding.before_call.deny.size(), 2U);
  EXPECT_EQ(binding.before_call.deny[0].tool, "drop_*");
  EXPECT_FALSE(binding.before_call.deny[0].when);
  EXPECT_TRUE(binding.before_call.deny[1].when);
  EXPECT_EQ(binding.before_call.deny[1].reason, "no");
  EXPECT_EQ(binding.before_call.max_arguments_bytes, 4096U);
  EXPECT_EQ(binding.before_call.budgets.writer.calls_per_minute, 10);
  EXPECT_EQ(binding.before_call.budgets.writer.tokens_per_day, 0);
  EXPECT_EQ(binding.before_call.budgets.channel.tokens_per_day, 50000);
}

std::vector<std::string> FaultsWith(const std::string& key, std::string_view value) {
  return PointersOf(ReadConfig(SmallConfigWith(kCrm + '/' + key, value), NamedSecrets()));
}

TEST(ConnectorConfig, ACallbackHasAnAddressAndASecret) {
  const auto read =
      ReadConfig(SmallConfigWith(kCrm + "/before_call",
                                 R"({"callback": {"url": "https://acme.test/check/?v=1",
                                       "secret": "whsec_Zm9v", "timeout_s": 3}})"),
                 NamedSecrets());
  ASSERT_TRUE(read.config);
  const auto& callback = read.config->apps[0].agents[0].connectors[0].before_call;
  ASSERT_TRUE(callback);
  EXPECT_EQ(callback->url, "https://acme.test/check/?v=1");
  EXPECT_EQ(callback->key, "foo");
  EXPECT_EQ(callback->timeout, 3s);
  EXPECT_NE(FaultsWith("before_call", R"({"callback": {"url": "https://acme.test"}})"),
            std::vector<std::string>{});
  EXPECT_EQ(FaultsWith("before_call",
                       R"({"callback": {"url": "https://acme.test", "secret": "whsec_?"}})"),
            std::vector<std::string>{kCrm + "/before_call/callback/secret"});
}

TEST(ConnectorConfig, ADenyRuleIsASchemaThatCanBeJudged) {
  EXPECT_EQ(FaultsWith("before_call", R"({"deny": [{"tool": "a", "when": {"type": 7}}]})"),
            std::vector<std::string>{kCrm + "/before_call/deny/0/when"});
}

TEST(ConnectorConfig, ForwardingAsksForASecret) {
  EXPECT_EQ(FaultsWith("forward_writer", "true"),
            std::vector<std::string>{kCrm + "/forward_writer"});
  EXPECT_FALSE(BindingWith("forward_secret", R"("s")").forwarding);
  ConfigRead read = ReadConfig(
      SmallConfigWith(kCrm, R"({"id": "crm", "kind": "mcp", "url": "https://crm.test/mcp",
                                "forward_writer": true, "forward_secret": "s3cret"})"),
      NamedSecrets());
  ASSERT_TRUE(read.config);
  const auto& forwarding = read.config->apps[0].agents[0].connectors[0].binding.forwarding;
  ASSERT_TRUE(forwarding);
  EXPECT_EQ(forwarding->secret, "s3cret");
  EXPECT_EQ(forwarding->audience, "https://crm.test/mcp");
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

ConfigRead ReadCrm(const std::string& members, const SecretSource& secrets = NamedSecrets()) {
  return ReadConfig(SmallConfigWith(kCrm, R"({"id": "orders", )" + members + '}'), secrets);
}

connectors::HttpToolOptions HttpWith(const std::string& members) {
  const ConfigRead read = ReadCrm(members, NamedSecrets({{"ID", "writ"}, {"KEY", "s3cr3t"}}));
  EXPECT_EQ(PointersOf(read), std::vector<std::string>{}) << members;
  if (!read.config) return {};
  return std::get<connectors::HttpToolOptions>(read.config->apps[0].agents[0].connectors[0].reach);
}

const std::string kTool =
    R"("kind": "http", "tools": [{"name": "list", "path": "/o", "input_schema": {}}])";

TEST(ConnectorConfig, AnHttpToolsArgumentsHaveTheirPlaces) {
  const connectors::HttpTool tool =
      HttpWith(R"("kind": "http", "base_url": "https://o.test", "tools": [{"name": "x",
                   "path": "/o", "query": ["a"], "headers": {"X-B": "b"}, "body": "c",
                   "input_schema": {"properties": {"a": {}, "b": {}, "c": {}}}}])")
          .tools.at(0);
  EXPECT_EQ(tool.query.at(0).property, "a");
  EXPECT_EQ(tool.headers.at(0).name, "X-B");
  EXPECT_EQ(tool.headers.at(0).property, "b");
  EXPECT_EQ(tool.body, "c");
  EXPECT_EQ(FaultsOfTools(R"([{"name": "x", "path": "/a", "query": ["q"], "input_schema": {}}])"),
            std::vector<std::string>{kCrm + "/tools/0"});
  EXPECT_EQ(FaultsOfTools(R"([{"name": "x", "path": "/a", "headers": {"Host": "q"},
                               "input_schema": {"properties": {"q": {}}}}])"),
            std::vector<std::string>{kCrm + "/tools/0"});
  EXPECT_EQ(PointersOf(ReadCrm(R"("kind": "http", "base_url": "https://o.test",
      "headers": {"x-tenant": "acme"}, "tools": [{"name": "x", "path": "/a",
      "headers": {"X-Tenant": "q"}, "input_schema": {"properties": {"q": {}}}}])")),
            std::vector<std::string>{kCrm + "/tools/0"})
      << "a model does not replace what the operator has set";
}

TEST(ConnectorConfig, AccessTokensAreConfigured) {
  const std::string oauth2 =
      R"(, "base_url": "https://o.test", "oauth2": {"token_url": "https://id.test/token",
          "client_id": {"env": "ID"}, "client_secret": {"env": "KEY"}, "scope": "a b",
          "audience": "o", "client_auth": "form"})";
  const auto options = HttpWith(kTool + oauth2).oauth2.value();
  EXPECT_EQ(options.token_url, "https://id.test/token");
  EXPECT_EQ(options.client_id, "writ");
  EXPECT_EQ(options.client_secret, "s3cr3t");
  EXPECT_EQ(options.scope, "a b");
  EXPECT_EQ(options.audience, "o");
  EXPECT_EQ(options.auth, connectors::ClientCredentialsOptions::Auth::kForm);
  EXPECT_TRUE(options.public_only);
  const std::vector<std::string> missing = PointersOf(ReadCrm(kTool + oauth2));
  EXPECT_EQ(missing,
            (std::vector<std::string>{kCrm + "/oauth2/client_id", kCrm + "/oauth2/client_secret"}));
  EXPECT_EQ(PointersOf(ReadCrm(kTool + oauth2 + R"(, "headers": {"Authorization": "x"})",
                               NamedSecrets({{"ID", "writ"}, {"KEY", "s3cr3t"}}))),
            std::vector<std::string>{kCrm + "/headers"});
}

TEST(ConnectorConfig, PrivateAddressesAreAllowedByBeingWrittenOrBySayingSo) {
  const auto public_only = [](const std::string& url, const std::string& more = "") {
    return HttpWith(kTool + R"(, "base_url": ")" + url + '"' + more).public_only;
  };
  EXPECT_TRUE(public_only("https://orders.internal"));
  EXPECT_TRUE(public_only("https://8.8.8.8"));
  EXPECT_FALSE(public_only("http://127.0.0.1:9000"));
  EXPECT_FALSE(public_only("http://localhost:9000"));
  EXPECT_FALSE(public_only("http://[fd00::1]:9000"));
  EXPECT_FALSE(public_only("https://orders.internal", R"(, "allow_private": true)"));
  EXPECT_TRUE(HttpWith(kTool + R"(, "base_url": "http://127.0.0.1:9000", "oauth2": {
      "token_url": "https://id.internal", "client_id": "a", "client_secret": "b"})")
                  .oauth2.value()
                  .public_only)
      << "each address for itself";
}

const std::string kDocument =
    R"({"openapi": "3.1.0", "servers": [{"url": "http://o.test:9000/v1/"}],
        "paths": {"/o": {"get": {"operationId": "list"}, "post": {"operationId": "add",
          "requestBody": {"$ref": "#/gone"}}}}})";

TEST(ConnectorConfig, AnOpenApiDocumentsOperationsAreTools) {
  const auto inline_one =
      HttpWith(R"("kind": "openapi", "operations": ["list"], "document": )" + kDocument);
  ASSERT_EQ(inline_one.tools.size(), 1U);
  EXPECT_EQ(inline_one.tools[0].name, "list");
  EXPECT_EQ(inline_one.base_url, "http://o.test:9000/v1/");
  EXPECT_TRUE(inline_one.public_only) << "the document's word is not the operator's";
  const auto configured =
      HttpWith(R"("kind": "openapi", "operations": ["list"], "base_url": "http://127.0.0.1:9001",
                   "document": )" +
               kDocument);
  EXPECT_EQ(configured.base_url, "http://127.0.0.1:9001");
  EXPECT_FALSE(configured.public_only);
  const ConfigRead from_file =
      ReadCrm(R"("kind": "openapi", "operations": ["list"], "document": "api.json")",
              NamedSecrets({}, {{"api.json", kDocument}}));
  EXPECT_EQ(PointersOf(from_file), std::vector<std::string>{});
}

TEST(ConnectorConfig, ADocumentsPrivateServerHasToBeAllowed) {
  std::string document = kDocument;
  document.replace(document.find("o.test:9000"), 11, "169.254.169.254");
  const auto faults = [&](const std::string& more) {
    return PointersOf(ReadCrm(R"("kind": "openapi", "operations": ["list"], )" + more +
                              R"("document": )" + document));
  };
  EXPECT_EQ(faults(""), std::vector<std::string>{kCrm + "/document"});
  EXPECT_EQ(faults(R"("allow_private": true, )"), std::vector<std::string>{});
  EXPECT_EQ(faults(R"("base_url": "https://o.test", )"), std::vector<std::string>{});
}

TEST(ConnectorConfig, FaultsOfADocumentHaveTheirPlace) {
  using Pointers = std::vector<std::string>;
  EXPECT_EQ(
      PointersOf(ReadCrm(R"("kind": "openapi", "operations": ["*"], "document": )" + kDocument)),
      Pointers{kCrm + "/document/paths/~1o/post/requestBody"});
  EXPECT_EQ(PointersOf(ReadCrm(
                R"("kind": "openapi", "operations": ["list", "lsit"], "document": )" + kDocument)),
            Pointers{kCrm + "/operations/1"});
  const auto from_file = [](const std::string& text) {
    return ReadCrm(R"("kind": "openapi", "operations": ["*"], "document": "api.json")",
                   NamedSecrets({}, {{"api.json", text}}));
  };
  const ConfigRead faulty = from_file(kDocument);
  EXPECT_EQ(PointersOf(faulty), Pointers{kCrm + "/document"});
  EXPECT_NE(faulty.faults.at(0).detail.find("/paths/~1o/post/requestBody"), std::string::npos);
  EXPECT_EQ(PointersOf(from_file("openapi: 3.1.0")), Pointers{kCrm + "/document"});
  EXPECT_EQ(PointersOf(from_file("[]")), Pointers{kCrm + "/document"});
  EXPECT_EQ(PointersOf(ReadCrm(R"("kind": "openapi", "operations": ["*"], "document": "gone")")),
            Pointers{kCrm + "/document"});
  EXPECT_FALSE(PointersOf(ReadCrm(R"("kind": "openapi", "document": "api.json")")).empty());
  EXPECT_FALSE(PointersOf(ReadCrm(R"("kind": "http", "base_url": "https://o.test",
      "operations": ["*"], "document": "x")"))
                   .empty());
}

TEST(ConnectorConfig, StandingConsentIsOffUnlessItSaysHowLong) {
  EXPECT_EQ(BindingWith("id", R"("crm")").remember_max, 0s);
  EXPECT_EQ(BindingWith("remember_max_s", "600").remember_max, 600s);
  const auto faults = [](std::string_view value) {
    return PointersOf(ReadConfig(SmallConfigWith(kCrm + "/remember_match", value), NamedSecrets()));
  };
  const std::vector<std::string> at_match{kCrm + "/remember_match"};
  EXPECT_EQ(faults(R"(["/amount"])"), at_match) << "means nothing alone";
  EXPECT_EQ(faults("[]"), at_match) << "would bind nothing";
  EXPECT_FALSE(faults(R"(["amount"])").empty());
  EXPECT_EQ(PointersOf(ReadConfig(SmallConfigWith(kCrm + "/remember_max_s", "0"), NamedSecrets())),
            std::vector<std::string>{kCrm + "/remember_max_s"});
}

TEST(ConnectorConfig, AnMcpServerMayBeAProgram) {
  const std::string members =
      R"("kind": "mcp", "command": ["npx", "-y", "crm-server"], "cwd": "/srv/crm",
         "env": {"CRM_KEY": {"env": "KEY"}, "MODE": "plain"})";
  const ConfigRead read = ReadCrm(members, NamedSecrets({{"KEY", "s3cr3t"}}));
  ASSERT_EQ(PointersOf(read), std::vector<std::string>{});
  const auto& command =
      std::get<connectors::McpOptions>(read.config->apps[0].agents[0].connectors[0].reach).command;
  EXPECT_EQ(command.argv, (std::vector<std::string>{"npx", "-y", "crm-server"}));
  EXPECT_EQ(command.folder, "/srv/crm");
  EXPECT_EQ(command.environment, (std::vector<std::pair<std::string, std::string>>{
                                     {"CRM_KEY", "s3cr3t"}, {"MODE", "plain"}}));
  EXPECT_EQ(PointersOf(ReadCrm(members)), std::vector<std::string>{kCrm + "/env/CRM_KEY"});
  for (const char* wrong : {R"("kind": "mcp")", R"("kind": "mcp", "command": [])",
                            R"("kind": "mcp", "command": ["x"], "url": "http://127.0.0.1/mcp")",
                            R"("kind": "mcp", "url": "http://127.0.0.1/mcp", "env": {"A": "b"})",
                            R"("kind": "mcp", "command": ["x"], "env": {"A=B": "c"})",
                            R"("kind": "mcp", "command": ["x\u0000y"])"}) {
    EXPECT_FALSE(PointersOf(ReadCrm(wrong)).empty()) << wrong;
  }
}

}  // namespace
}  // namespace writ::bot
