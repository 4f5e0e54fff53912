#include "bot/demo/assets.h"

#include <cstddef>

extern "C" {
extern const char writ_demo_script[];
extern const char writ_demo_script_end[];
extern const char writ_demo_page[];
extern const char writ_demo_page_end[];
extern const char writ_demo_style[];
extern const char writ_demo_style_end[];
extern const char writ_demo_program[];
extern const char writ_demo_program_end[];
}

namespace writ::bot {
namespace {

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view DemoScript() { return Between(writ_demo_script, writ_demo_script_end); }
std::string_view DemoPage() { return Between(writ_demo_page, writ_demo_page_end); }
std::string_view DemoStyle() { return Between(writ_demo_style, writ_demo_style_end); }
std::string_view DemoProgram() { return Between(writ_demo_program, writ_demo_program_end); }

}  // namespace writ::bot
