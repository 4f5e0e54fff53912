#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "router/base/http.h"
#include "router/base/ids.h"
#include "router/base/json.h"

namespace writ::connectors {

struct StreamAccess {
  std::string api_key;
  std::string api_secret;
  std::string base_url = "https://chat.stream-io-api.com";
};

// Makes the requests of one app, with its server token. A value: copies are cheap enough for one a
// request chain.  source: the platforms' page, 1.6 and 1.7 (the unprefixed, v1 family)
class StreamApi {
 public:
  // What one reading call gives at most.
  static constexpr int kPage = 100;

  explicit StreamApi(const StreamAccess& access);

  using Segments = std::initializer_list<std::string_view>;
  using Query = std::initializer_list<std::pair<std::string_view, std::string>>;

  // `path` part by part, each percent-encoded here.
  [[nodiscard]] router::HttpRequest Get(Segments path, Query query = {}) const;
  [[nodiscard]] router::HttpRequest Write(std::string method, Segments path,
                                          const router::Json& body) const;

  // The channel's newest `limit` messages that stand in no thread; older than `before` where set.
  [[nodiscard]] router::HttpRequest ChannelMessages(
      const router::Cid& cid, int limit, const std::optional<router::MessageId>& before = {}) const;
  // A message's newest `limit` replies.
  [[nodiscard]] router::HttpRequest Replies(const router::MessageId& parent, int limit) const;

 private:
  [[nodiscard]] router::HttpRequest Make(std::string method, Segments path, Query query) const;

  std::string base_url_;  // without a slash at its end
  std::string api_key_;
  std::string token_;
};

// The channel's id within its type; empty where the cid has none.
[[nodiscard]] std::string ChannelIdOf(const router::Cid& cid);

}  // namespace writ::connectors
