#pragma once

#include <optional>
#include <string>

#include "bot/commands.h"
#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::bot {

// Where a node is, and as whom it is asked.
class Access {
 public:
  // nullopt after stderr was told what is missing.
  [[nodiscard]] static std::optional<Access> Of(const AccessArguments& arguments);

  [[nodiscard]] const std::string& url() const { return url_; }  // without a slash at its end
  // A token that is signed here lives for minutes, so each request has its own.
  [[nodiscard]] router::HttpHeaders Headers(router::TimePoint now) const;

 private:
  Access() = default;

  std::string url_;
  std::string api_key_;
  std::string token_;   // as it was given; empty: one is signed,
  std::string secret_;  // with this
};

}  // namespace writ::bot
