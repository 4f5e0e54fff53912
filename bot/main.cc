// writ: 1. arguments, 2. signals, 3. configuration, 4. the node, 5. wait, 6. drain.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

#include "bot/commands.h"

int main(int argc, char** argv) {
  using namespace writ::bot;  // NOLINT(google-build-using-namespace)

  CLI::App app{
      "Answers messages in team chat channels, and never runs a sensitive call without "
      "the consent of the person it acts for."};
  app.set_version_flag("--version", std::string(kVersion));
  app.require_subcommand(1);

  ServeArguments serve;
  CLI::App* serve_command = app.add_subcommand("serve", "runs a node");
  serve_command->add_option("--config", serve.config, "the configuration file")->required();
  serve_command->add_option("--listen", serve.listen, "HOST:PORT, instead of the configuration's");

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

  DemoArguments demo;
  CLI::App* demo_command = app.add_subcommand("demo", "everything on one machine, to try out");
  demo_command->add_option("--listen", demo.listen, "HOST:PORT of the demo's page, 127.0.0.1:8080");
  demo_command->add_flag("--play", demo.play,
                         "plays Anya's story in the terminal, without the page, and ends");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kDone : kWrongUsage;  // --help and --version end here, too
  }
  if (serve_command->parsed()) return Serve(serve);
  if (check_command->parsed()) return Check(check);
  if (token_command->parsed()) return PrintToken(token);
  return Demo(demo);
}
