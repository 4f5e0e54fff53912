#include "router/tool/on_behalf.h"

#include <chrono>
#include <cstdint>

#include "router/base/digest.h"
#include "router/base/json.h"

namespace writ::router {
namespace {

constexpr std::chrono::minutes kLife{5};

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

std::string SignOnBehalf(const OnBehalf& on_behalf, std::string_view secret) {
  const auto issued = std::chrono::floor<std::chrono::seconds>(on_behalf.now);
  const auto seconds = [](auto time) { return std::int64_t{time.time_since_epoch().count()}; };
  const Json claims = Json::MakeObject({{"app", on_behalf.app.text()},
                                        {"cid", TextOrNull(on_behalf.cid.text())},
                                        {"call_id", on_behalf.call.text()},
                                        {"writer", TextOrNull(on_behalf.writer.text())},
                                        {"initiator", TextOrNull(on_behalf.initiator.text())},
                                        {"approval_id", TextOrNull(on_behalf.approval.text())},
                                        {"args_digest", on_behalf.args_digest},
                                        {"aud", on_behalf.audience},
                                        {"iat", seconds(issued)},
                                        {"exp", seconds(issued + kLife)}});
  const std::string signing_input =
      Base64UrlEncode(R"({"alg":"HS256","typ":"JWT"})") + "." + Base64UrlEncode(claims.Dump());
  return signing_input + "." + Base64UrlEncode(HmacSha256(secret, signing_input));
}

}  // namespace writ::router
