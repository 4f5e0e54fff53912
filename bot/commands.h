#pragma once

#include <string>
#include <vector>

namespace writ::bot {

// Exit codes (contract section 1).
inline constexpr int kDone = 0;
inline constexpr int kFailedWhileRunning = 1;
inline constexpr int kWrongUsage = 2;  // or a wrong configuration

struct ServeArguments {
  std::string config;
  std::string listen;
  bool after_restore = false;
};
struct CheckArguments {
  std::string config;
  bool online = false;
};
struct TokenArguments {
  std::string config;
  std::string app;
  std::string user;
  bool server = false;
  bool for_operator = false;
  std::string ttl;
};
// How a command reaches a running node's HTTP API.
struct AccessArguments {
  std::string url;
  std::string config;  // with `app`: a token is signed with that app's secret
  std::string app;
  std::string token;
  std::string api_key;
};
struct ApprovalsArguments {
  enum class Action { kList, kShow, kApprove, kDeny };
  Action action = Action::kList;
  AccessArguments access;
  bool json = false;
  // list
  std::string status;
  std::string run;
  std::string cid;
  std::string asked;
  std::string cursor;
  int limit = 100;
  bool watch = false;
  // the others
  std::string id;
  std::string reason;
  std::string decided_by;
  std::string edit;
};
struct AuditArguments {
  enum class Action { kExport, kVerify };
  Action action = Action::kExport;
  std::string config;
  std::string app;  // empty: all of the configuration's
  std::string url;
  // verify
  std::vector<std::string> heads;
  std::string file;  // `-`: standard input; empty: a running node
};
struct ForgetArguments {
  AccessArguments access;
  std::string user;
  int wait_s = 60;  // for what must be shown in its channel first
  bool json = false;
};
struct ExplainArguments {
  std::string config;
  std::string app;
  std::string cid;
  std::string writer;
  std::string tool;
  std::string arguments;
  bool json = false;
};
struct TryConnectorArguments {
  // Of the configuration, or
  std::string config;
  std::string app;
  std::string agent;
  std::string connector;
  // an MCP server by itself.
  std::string url;
  std::vector<std::string> headers;  // `name: value`
  std::string era = "auto";

  std::vector<std::string> tools;      // to call, in order
  std::vector<std::string> arguments;  // of each, as JSON; `{}` where there are fewer
  std::string input;                   // answers to what a tool asks, as JSON
  bool json = false;
};
struct DemoArguments {
  std::string listen = "127.0.0.1:8080";
  bool play = false;
  std::string node;  // the configuration of the node that a demo starts as a process of its own
};

// Each runs one command of the program and returns its exit code. Faults go to stderr.
[[nodiscard]] int Serve(const ServeArguments& arguments);
// The same for a parent: ends, too, when its standard input does.
[[nodiscard]] int ServeUntilInputEnds(const ServeArguments& arguments);
[[nodiscard]] int Check(const CheckArguments& arguments);
[[nodiscard]] int PrintToken(const TokenArguments& arguments);
[[nodiscard]] int Approvals(const ApprovalsArguments& arguments);
[[nodiscard]] int Audit(const AuditArguments& arguments);
[[nodiscard]] int Forget(const ForgetArguments& arguments);
[[nodiscard]] int ExplainCall(const ExplainArguments& arguments);
[[nodiscard]] int TryConnector(const TryConnectorArguments& arguments);
[[nodiscard]] int Demo(const DemoArguments& arguments);

}  // namespace writ::bot
