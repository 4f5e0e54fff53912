#pragma once

#include <span>

#include "bot/http/request.h"
#include "bot/http/route_table.h"

namespace writ::bot {

// A row of an assets.S: a file that stands in the program, and its path on the server.
struct PageFile {
  const char* path;
  const char* begin;
  const char* end;
};

[[nodiscard]] std::span<const PageFile> SharedPageFiles();  // /pages/…: the look, the tools
[[nodiscard]] std::span<const PageFile> InboxPageFiles();   // /inbox and what it loads

// Each is answered as a browser may use it: nothing but this server's own files is loaded or
// called, nothing that stands in the page itself runs, no other page may frame it. 304 where the
// browser has it already.
void AddPageFiles(RouteTable& routes, std::span<const PageFile> files);

}  // namespace writ::bot
