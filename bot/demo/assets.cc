#include "bot/demo/assets.h"

#include <cstddef>

extern "C" {
extern const char writ_demo_script[];
extern const char writ_demo_script_end[];
extern const writ::bot::PageFile writ_demo_pages[];
extern const writ::bot::PageFile writ_demo_pages_end[];
}

namespace writ::bot {

std::string_view DemoScript() {
  const char* const begin = writ_demo_script;
  const char* const end = writ_demo_script_end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::span<const PageFile> DemoPageFiles() {
  return {static_cast<const PageFile*>(writ_demo_pages),
          static_cast<const PageFile*>(writ_demo_pages_end)};
}

}  // namespace writ::bot
