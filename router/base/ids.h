#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace writ::router {

// A name that something outside gave or that writ made. Ids of different things are different
// types, so that a call id can't be passed where an approval id is wanted. An empty id is nobody
// and nothing; it never matches.
template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

  friend bool operator==(const Id&, const Id&) = default;
  friend auto operator<=>(const Id&, const Id&) = default;  // NOLINT(modernize-use-nullptr)

 private:
  std::string text_;
};

using AppId = Id<struct AppTag>;
using AgentId = Id<struct AgentTag>;
using Cid = Id<struct CidTag>;  // `type:id`, unique within an app only
using UserId = Id<struct UserTag>;
using MessageId = Id<struct MessageTag>;  // the platform's
using SessionId = Id<struct SessionTag>;
using CommandId = Id<struct CommandTag>;
using CallId = Id<struct CallTag>;
using ApprovalId = Id<struct ApprovalTag>;
using ConsentId = Id<struct ConsentTag>;
using ConnectorId = Id<struct ConnectorTag>;
using NodeId = Id<struct NodeTag>;  // one run of the program, not one machine

// The channel type of a cid: what stands before its first colon; empty where there is none.
[[nodiscard]] inline std::string_view ChannelType(const Cid& cid) {
  const std::string_view text = cid.text();
  const auto colon = text.find(':');
  return colon == std::string_view::npos ? std::string_view{} : text.substr(0, colon);
}

// Makes ids of our own. They sort by the time they were made, so that an index grows at its end.
// Shared by all threads.
class IdSource {
 public:
  virtual ~IdSource() = default;

  // `prefix` and 26 characters of [0-9a-z]: `apr_01k…`. The random part can't be guessed.
  [[nodiscard]] virtual std::string Next(std::string_view prefix) = 0;
};

}  // namespace writ::router

template <class Tag>
struct std::hash<writ::router::Id<Tag>> {
  std::size_t operator()(const writ::router::Id<Tag>& id) const noexcept {
    return std::hash<std::string>{}(id.text());
  }
};
