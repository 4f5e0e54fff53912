#include "bot/pages/page_files.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "router/base/digest.h"

extern "C" {
extern const writ::bot::PageFile writ_shared_pages[];
extern const writ::bot::PageFile writ_shared_pages_end[];
extern const writ::bot::PageFile writ_inbox_pages[];
extern const writ::bot::PageFile writ_inbox_pages_end[];
}

namespace writ::bot {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

std::string_view ContentOf(const PageFile& file) {
  return {file.begin, static_cast<std::size_t>(file.end - file.begin)};
}

std::string_view TypeOf(std::string_view path) {
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  return "text/html; charset=utf-8";
}

Response Serve(const Request& request, const PageFile& file, const std::string& tag) {
  Response response;
  response.headers = {{"Content-Security-Policy", std::string(kPolicy)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Cache-Control", "no-cache"},
                      {"ETag", tag}};
  const std::string* known = request.Header("if-none-match");
  if (known != nullptr && known->find(tag) != std::string::npos) {
    response.status = 304;
    return response;
  }
  response.content_type = TypeOf(file.path);
  response.body = ContentOf(file);
  return response;
}

}  // namespace

std::span<const PageFile> SharedPageFiles() {
  return {static_cast<const PageFile*>(writ_shared_pages),
          static_cast<const PageFile*>(writ_shared_pages_end)};
}

std::span<const PageFile> InboxPageFiles() {
  return {static_cast<const PageFile*>(writ_inbox_pages),
          static_cast<const PageFile*>(writ_inbox_pages_end)};
}

void AddPageFiles(RouteTable& routes, std::span<const PageFile> files) {
  for (const PageFile& file : files) {
    std::string tag = '"' + router::Sha256Hex(ContentOf(file)).substr(0, 24) + '"';
    routes.Add("GET", file.path, [&file, tag = std::move(tag)](const Request& request) {
      return Serve(request, file, tag);
    });
  }
}

}  // namespace writ::bot
