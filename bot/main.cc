// writ: 1. arguments, 2. signals, 3. configuration, 4. the node, 5. wait, 6. drain.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>
#include <utility>

#include "bot/commands.h"
#include "bot/version.h"

namespace {

using namespace writ::bot;  // NOLINT(google-build-using-namespace)

void AddAccess(CLI::App& command, AccessArguments& access) {
  command.add_option("--url", access.url,
                     "where the node is; else where the configuration listens, else "
                     "http://127.0.0.1:8080");
  CLI::Option* config =
      command.add_option("--config", access.config, "signs a token with an app's secret");
  command.add_option("--app", access.app, "the app's id, with --config")->needs(config);
  command.add_option("--token", access.token, "the backend's or an operator's token")
      ->envname("WRIT_TOKEN");
  command.add_option("--api-key", access.api_key, "the app's API key, with --token")
      ->envname("WRIT_API_KEY");
}

CLI::App* AddExplain(CLI::App& app, ExplainArguments& explain) {
  CLI::App* command = app.add_subcommand(
      "explain", "says whether a call would be held, who would be asked, and by which rule");
  command->add_option("--config", explain.config, "the configuration file")->required();
  command->add_option("--app", explain.app, "the app's id")->required();
  command->add_option("--cid", explain.cid, "the channel, TYPE:ID")->required();
  command->add_option("--writer", explain.writer, "who wrote the message; else nobody did");
  command->add_option("--tool", explain.tool, "connector__tool")->required();
  command->add_option("--arguments", explain.arguments, "as JSON")->required();
  command->add_flag("--json", explain.json, "as POST /v1/explain answers");
  return command;
}

// `writ approvals …`: each of its commands fills the same arguments.
CLI::App* AddApprovals(CLI::App& app, ApprovalsArguments& approvals) {
  using Action = ApprovalsArguments::Action;
  CLI::App* command = app.add_subcommand("approvals", "the backend's approvals, over the HTTP API");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, Action action) {
    CLI::App* added = command->add_subcommand(name, what);
    AddAccess(*added, approvals.access);
    added->add_flag("--json", approvals.json, "the API's own JSON");
    added->callback([&approvals, action] { approvals.action = action; });
    return added;
  };
  CLI::App* list = add("list", "lists them, newest first", Action::kList);
  list->add_option("--status", approvals.status, "pending, approved, denied, expired, cancelled");
  list->add_option("--run", approvals.run, "of that command (cmd_…)");
  list->add_option("--cid", approvals.cid, "in that channel");
  list->add_option("--asked", approvals.asked, "asked of that user");
  list->add_option("--limit", approvals.limit, "how many: 1 to 1000, 100 where none is given");
  list->add_option("--cursor", approvals.cursor, "where the last page ended");
  list->add_flag("--watch", approvals.watch, "goes on with what is new or decided, until a signal");
  for (CLI::App* one : {add("show", "shows one", Action::kShow),
                        add("approve", "allows the call", Action::kApprove),
                        add("deny", "declines the call", Action::kDeny)}) {
    one->add_option("approval", approvals.id, "its id, apr_…")->required();
    if (one->get_name() == "show") continue;
    one->add_option("--reason", approvals.reason, "in words, which the model is told");
    one->add_option("--by", approvals.decided_by, "who decided, for the record");
    if (one->get_name() == "approve") {
      one->add_option("--edit", approvals.edit, "other arguments to run instead, as JSON");
    }
  }
  return command;
}

CLI::App* AddTryConnector(CLI::App& app, TryConnectorArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "try-connector",
      "lists a connector's tools, and calls those that --tool names: at once, without anybody's "
      "approval, for whoever has this terminal decides");
  CLI::Option* config = command->add_option("--config", arguments.config, "the configuration");
  CLI::Option* url =
      command->add_option("--url", arguments.url, "instead of that: an MCP server's endpoint");
  config->excludes(url);
  for (const auto& [name, value] : {std::pair{"--app", &arguments.app},
                                    {"--agent", &arguments.agent},
                                    {"--connector", &arguments.connector}}) {
    command->add_option(name, *value, "its id in the configuration")->needs(config);
  }
  command->add_option("--header", arguments.headers, "`name: value`, with --url; may be repeated")
      ->needs(url);
  command->add_option("--era", arguments.era, "with --url: auto, 2025-11-25 or 2026-07-28")
      ->needs(url)
      ->check(CLI::IsMember({"auto", "2025-11-25", "2026-07-28"}));
  command
      ->add_option("--tool", arguments.tools, "calls this tool, without approval; may be repeated")
      ->allow_extra_args(false);
  command
      ->add_option("--arguments", arguments.arguments,
                   "a JSON object for each --tool, in their order; {} without")
      ->allow_extra_args(false);
  command->add_option("--input", arguments.input,
                      "answers to what a tool asks: a JSON object by the questions' keys, as in "
                      R"({"name": {"action": "accept", "content": {"name": "Anya"}}})");
  command->add_flag("--json", arguments.json, "prints one JSON object");
  return command;
}

CLI::App* AddAudit(CLI::App& app, AuditArguments& audit) {
  using Action = AuditArguments::Action;
  CLI::App* command = app.add_subcommand("audit", "the decision log, and whether it is whole");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, Action action) {
    CLI::App* added = command->add_subcommand(name, what);
    added->add_option("--config", audit.config, "the configuration file")->required();
    added->add_option("--app", audit.app, "that app's alone");
    added->add_option("--url", audit.url,
                      "where the node is; else where the configuration listens");
    added->callback([&audit, action] { audit.action = action; });
    return added;
  };
  add("export", "prints a running node's log, a JSON object a line", Action::kExport);
  CLI::App* verify = add("verify", "finds what was changed, removed or reordered", Action::kVerify);
  verify
      ->add_option("--head", audit.heads,
                   "a head that was published, APP:SEAL:MAC: what is up to it must be there")
      ->allow_extra_args(false);  // what comes after it is the file
  verify->add_option("file", audit.file, "an export; - is standard input; else a running node's");
  return command;
}

CLI::App* AddForget(CLI::App& app, ForgetArguments& forget) {
  CLI::App* command = app.add_subcommand(
      "forget",
      "removes one user's data: messages, sessions, arguments, results, the words of decisions, "
      "consents; what they have under way is ended first");
  AddAccess(*command, forget.access);
  command->add_option("--user", forget.user, "the user's id at the platform")->required();
  command
      ->add_option("--wait", forget.wait_s,
                   "seconds to wait for ends that must be shown in their channel first: 60")
      ->check(CLI::Range(0, 3600));
  command->add_flag("--json", forget.json, "what was removed, as JSON");
  return command;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Answers messages in team chat channels, and never runs a sensitive call without "
      "the consent of the person it acts for."};
  app.set_version_flag("--version", std::string(Version()));
  app.require_subcommand(1);

  ServeArguments serve;
  CLI::App* serve_command = app.add_subcommand("serve", "runs a node");
  serve_command->add_option("--config", serve.config, "the configuration file")->required();
  serve_command->add_option("--listen", serve.listen, "HOST:PORT, instead of the configuration's");
  serve_command->add_flag("--after-restore", serve.after_restore,
                          "the store was restored from a backup: ends what it holds unfinished, "
                          "catches nothing up; no other node may run");

  CheckArguments check;
  CLI::App* check_command = app.add_subcommand("check", "checks the configuration");
  check_command->add_option("--config", check.config, "the configuration file")->required();
  check_command->add_flag("--online", check.online,
                          "also opens the store, reaches the platforms, models and connectors, "
                          "and checks that each require_approval entry matches a tool");

  TokenArguments token;
  CLI::App* token_command = app.add_subcommand("token", "prints a token");
  token_command->add_option("--config", token.config, "the configuration file")->required();
  token_command->add_option("--app", token.app, "the app's id")->required();
  CLI::Option_group* who = token_command->add_option_group("for whom");
  who->add_option("--user", token.user, "for that user");
  who->add_flag("--server", token.server, "for the app's backend");
  who->add_flag("--operator", token.for_operator,
                "for an operator: the backend's rights here, worth nothing at the platform");
  who->require_option(1);
  token_command->add_option("--ttl", token.ttl,
                            "how long it is valid: 30s, 15m, 1h (where none is given), 7d");

  ExplainArguments explain;
  CLI::App* explain_command = AddExplain(app, explain);

  ApprovalsArguments approvals;
  CLI::App* approvals_command = AddApprovals(app, approvals);
  TryConnectorArguments trial;
  CLI::App* try_command = AddTryConnector(app, trial);

  ForgetArguments forget;
  CLI::App* forget_command = AddForget(app, forget);

  AuditArguments audit;
  CLI::App* audit_command = AddAudit(app, audit);

  DemoArguments demo;
  CLI::App* demo_command = app.add_subcommand("demo", "everything on one machine, to try out");
  demo_command->add_option("--listen", demo.listen, "HOST:PORT of the demo's page, 127.0.0.1:8080");
  demo_command->add_flag("--play", demo.play,
                         "plays Anya's story in the terminal, without the page, and ends");
  demo_command->add_option("--node", demo.node)->group("");  // the demo's own

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kDone : kWrongUsage;  // --help and --version end here, too
  }
  if (serve_command->parsed()) return Serve(serve);
  if (check_command->parsed()) return Check(check);
  if (token_command->parsed()) return PrintToken(token);
  if (explain_command->parsed()) return ExplainCall(explain);
  if (approvals_command->parsed()) return Approvals(approvals);
  if (try_command->parsed()) return TryConnector(trial);
  if (audit_command->parsed()) return Audit(audit);
  if (forget_command->parsed()) return Forget(forget);
  if (!demo.node.empty()) return ServeUntilInputEnds({demo.node, demo.listen});
  return Demo(demo);
}
