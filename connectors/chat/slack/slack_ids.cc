#include "connectors/chat/slack/slack_ids.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>

namespace writ::connectors {
namespace {

constexpr std::string_view kType = "slack:";
constexpr std::size_t kMicros = 6;

std::string_view TakePart(std::string_view& text) {
  const std::size_t end = std::min(text.find('.'), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<std::int64_t> ReadDigits(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [rest, fault] = std::from_chars(text.data(), end, number);
  return fault == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace

router::UserId SlackUserId(const SlackPlace& place, std::string_view home, std::string_view user) {
  if (user.empty()) return {};
  if (home.empty() || home == place.team) {
    home = place.enterprise.empty() ? std::string_view(place.team) : place.enterprise;
  }
  return router::UserId(std::string(home) + '.' + std::string(user));
}

SlackUser SlackUserOf(const router::UserId& user) {
  std::string_view text = user.text();
  SlackUser read;
  read.home = TakePart(text);
  read.id = text;
  return read;
}

router::Cid SlackCid(const SlackChannel& channel) {
  std::string text = std::string(kType) + channel.team + '.' + channel.id;
  if (!channel.thread.empty() && !IsDirect(channel.id)) text += '.' + channel.thread;
  return router::Cid(std::move(text));
}

SlackChannel SlackChannelOf(const router::Cid& cid) {
  std::string_view text = cid.text();
  SlackChannel channel;
  if (!text.starts_with(kType)) return channel;
  text.remove_prefix(kType.size());
  channel.team = TakePart(text);
  channel.id = TakePart(text);
  channel.thread = text;
  return channel;
}

bool IsDirect(std::string_view channel) { return channel.starts_with('D'); }

std::string_view SlackChannelKey(const router::Cid& cid) {
  std::string_view text = cid.text();
  if (!text.starts_with(kType)) return {};
  text.remove_prefix(kType.size());
  TakePart(text);
  return TakePart(text);
}

router::MessageId SlackMessageId(const SlackChannel& channel, std::string_view ts) {
  return router::MessageId(channel.team + '.' + channel.id + '.' + std::string(ts));
}

std::optional<router::TimePoint> SlackTime(std::string_view ts) {
  std::string_view rest = ts;
  const auto seconds = ReadDigits(TakePart(rest));
  const auto micros = ReadDigits(rest);
  constexpr std::int64_t kLatest = 100'000'000'000;  // some thousand years from now
  if (!seconds || !micros || *seconds > kLatest || rest.size() != kMicros) return std::nullopt;
  return router::TimePoint(std::chrono::seconds(*seconds) + router::Duration(*micros));
}

std::string SlackTs(router::TimePoint time) {
  const auto since = std::max(time.time_since_epoch(), router::Duration{0});
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  const std::string micros = std::to_string((since - seconds).count());
  return std::to_string(seconds.count()) + '.' + std::string(kMicros - micros.size(), '0') + micros;
}

}  // namespace writ::connectors
