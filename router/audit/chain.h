#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::router {

// An app's entries as a chain: each seal is an HMAC under the audit secret over the entry and the
// seal before it. Who has not the secret can change, remove or reorder nothing unseen but the
// chain's end, and that shows against a head that was published before.

// The seal of the chain's entry `seal` (1, 2, …) in hex; `before` is the one before it, empty for
// the first.
[[nodiscard]] std::string SealOf(std::string_view secret, const AppId& app, std::int64_t seal,
                                 std::string_view before, std::string_view text);

// The end of a chain: everything up to it is held to it.
struct AuditHead {
  AppId app;
  std::int64_t seal = 0;
  std::string mac;

  friend bool operator==(const AuditHead&, const AuditHead&) = default;
};
// `acme:42:<64 hex digits>`, as it is published.
[[nodiscard]] std::string TextOf(const AuditHead& head);
[[nodiscard]] std::optional<AuditHead> ReadHead(std::string_view text);

// What stands for the entries up to a head that were removed when their time was over.
// `{"head", "made_at", "mac"}`, sealed itself, so that nobody makes one to hide a removal.
[[nodiscard]] Json MakeCheckpoint(std::string_view secret, const AuditHead& head, TimePoint now);
// The head that it stands for; nullopt where it is forged.
[[nodiscard]] std::optional<AuditHead> ReadCheckpoint(std::string_view secret,
                                                      const Json& checkpoint);

}  // namespace writ::router
