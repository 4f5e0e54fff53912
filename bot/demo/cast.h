#pragma once

#include <array>
#include <string_view>

namespace writ::bot {

// Who plays in the demo, and where. All of them are made up.
struct DemoPerson {
  const char* id;
  const char* name;
};

inline constexpr DemoPerson kDemoAnya{"anya-1", "Anya"};
inline constexpr DemoPerson kDemoBen{"ben-2", "Ben"};
inline constexpr std::array kDemoPeople{kDemoAnya, kDemoBen};
inline constexpr DemoPerson kDemoAgent{"helper-bot", "Helper"};
inline constexpr std::string_view kDemoCid = "callouts:desk";
inline constexpr std::string_view kDemoApp = "demo";

}  // namespace writ::bot
