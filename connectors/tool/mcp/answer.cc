#include "connectors/tool/mcp/answer.h"

#include <algorithm>

namespace writ::connectors {
namespace {

bool WantsMoreRights(const router::HttpHeaders& headers) {
  return std::ranges::any_of(headers, [](const auto& header) {
    return header.first == "www-authenticate" &&
           header.second.find("insufficient_scope") != std::string::npos;
  });
}

}  // namespace

std::string WordsOfStatus(int status, const router::HttpHeaders& headers) {
  std::string words = "status " + std::to_string(status);
  if (status == 401) return words + ": the token is missing, expired or wrong";
  if (status != 403) return words;
  return words + (WantsMoreRights(headers) ? ": the token lacks a scope" : ": not allowed");
}

}  // namespace writ::connectors
