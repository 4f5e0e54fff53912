#pragma once

#include <string>
#include <string_view>

namespace writ::bot {

inline constexpr std::string_view kVersion = "0.1.0";

// Exit codes (contract section 1).
inline constexpr int kDone = 0;
inline constexpr int kFailedWhileRunning = 1;
inline constexpr int kWrongUsage = 2;  // or a wrong configuration

struct ServeArguments {
  std::string config;
  std::string listen;
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
struct DemoArguments {
  std::string listen = "127.0.0.1:8080";
  bool play = false;
};

// Each runs one command of the program and returns its exit code. Faults go to stderr.
[[nodiscard]] int Serve(const ServeArguments& arguments);
[[nodiscard]] int Check(const CheckArguments& arguments);
[[nodiscard]] int PrintToken(const TokenArguments& arguments);
[[nodiscard]] int Demo(const DemoArguments& arguments);

}  // namespace writ::bot
