// The public conformance suite of the Model Context Protocol for clients, from npm: each scenario
// starts a server, runs `writ try-connector` against it and judges what the server saw. docs/mcp.md
// lists what is left out, and why.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/support/child_process.h"
#include "tests/support/stage/program.h"
#include "tests/support/temporary_folder.h"

namespace writ::tests {
namespace {

using namespace std::chrono_literals;

struct Scenario {
  const char* name;
  const char* revision;   // of the protocol that the suite's server speaks
  const char* arguments;  // of `writ try-connector`, for a shell
};

void PrintTo(const Scenario& scenario, std::ostream* out) {
  *out << scenario.name << " " << scenario.revision;
}

// The suite gives its own client 15 s: a client that hangs must not hang the tests.
constexpr const char* kClientTimeoutMs = "15000";
constexpr auto kLongest = 60s;

class McpConformance : public testing::TestWithParam<Scenario> {};

std::string OutputOf(const std::vector<std::string>& command, const std::string& log, int& code) {
  Program program(command, {}, log);
  code = program.WaitForEnd(kLongest).value_or(-1);
  return program.output();
}

// `client` gets the URL of the suite's server appended.
void ExpectHolds(const char* scenario, const char* revision, const std::string& client) {
  const TemporaryFolder folder;
  std::vector<std::string> command = NodeProgram("@modelcontextprotocol/conformance/dist/index.js");
  for (const std::string& argument :
       {std::string("client"), std::string("--scenario"), std::string(scenario),
        std::string("--spec-version"), std::string(revision), std::string("--timeout"),
        std::string(kClientTimeoutMs), std::string("--command"), client}) {
    command.push_back(argument);
  }
  int code = -1;
  const std::string output = OutputOf(command, folder.path() / "suite.log", code);
  EXPECT_EQ(code, 0) << output;
  // A scenario that the suite passes over is no success.
  EXPECT_EQ(output.find("SKIPPED: scenario"), std::string::npos) << output;
}

TEST_P(McpConformance, Holds) {
  ExpectHolds(GetParam().name, GetParam().revision,
              PathOfWrit() + " try-connector " + GetParam().arguments + " --url");
}

constexpr const char* kSum = R"(--tool add_numbers --arguments '{"a":2,"b":3}')";

constexpr Scenario kScenarios[] = {
    {"initialize", "2025-06-18", ""},
    {"initialize", "2025-11-25", ""},
    {"tools_call", "2025-06-18", kSum},
    {"tools_call", "2025-11-25", kSum},
    {"tools_call", "2026-07-28", kSum},
    {"sse-retry", "2025-11-25", "--tool test_reconnection"},
    {"request-metadata", "2026-07-28", ""},
    {"http-standard-headers", "2026-07-28", "--tool test_headers --tool my-hyphenated-tool"},
    {"http-custom-headers", "2026-07-28",
     R"(--tool test_custom_headers --arguments '{"region":"us-west1","priority":42,)"
     R"("verbose":false,"debug":true,"empty_val":"","method_val":"test-method",)"
     R"("float_val":3.14159,"non_ascii_val":"Hello, 世界","whitespace_val":" padded ",)"
     R"("leading_space_val":" us-west1","trailing_space_val":"us-west1 ",)"
     R"("internal_space_val":"us west 1","control_char_val":"line1\nline2",)"
     R"("crlf_val":"line1\r\nline2","tab_val":"\tindented","query":"SELECT * FROM users"}')"
     R"( --tool test_custom_headers_null)"
     R"( --arguments '{"region":"us-east1","priority":1,"query":"SELECT 1"}')"},
    {"http-invalid-tool-headers", "2026-07-28",
     R"(--tool valid_tool --arguments '{"region":"us-west1"}')"},
    {"sep-2322-client-request-state", "2026-07-28",
     R"(--input '{"confirm":{"action":"accept","content":{"confirmed":true}}}')"
     " --tool test_mrtr_echo_state --tool test_mrtr_unrelated --tool test_mrtr_no_state"
     " --tool test_mrtr_no_result_type"},
    {"json-schema-ref-no-deref", "2026-07-28", ""},
};

INSTANTIATE_TEST_SUITE_P(Suite, McpConformance, testing::ValuesIn(kScenarios),
                         [](const auto& scenario) {
                           std::string name =
                               std::string(scenario.param.name) + "_" + scenario.param.revision;
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

TEST(McpConformanceOfSchemas, TheyComeThroughAsTheyWere) {
  const auto script = NodeScript("echo_schema.mjs");
  for (const char* revision : {"2025-11-25", "2026-07-28"}) {
    ExpectHolds("json-schema-2020-12-preservation", revision,
                script[0] + " " + script[1] + " " + PathOfWrit());
  }
}

}  // namespace
}  // namespace writ::tests
