#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <variant>

#include "connectors/chat/stream/intake.h"
#include "connectors/http/inflate.h"
#include "router/base/digest.h"
#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::ChannelEvent;

constexpr router::TimePoint kNow{std::chrono::seconds{1795944600}};
const StreamIdentity kIdentity{
    router::AppId("acme"), {"writ-stream-test-secret"}, {router::UserId("writ-bot")}};

std::string ReadSample(const std::string& name) {
  std::ifstream file("tests/data/samples/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The X-Signature that the vendor's own verifier accepted for the sample.
std::string SignatureOf(const std::string& name) {
  const router::JsonParsed parsed = router::ParseJson(ReadSample("signatures.json"));
  if (!parsed.value) return {};
  for (const router::Json& entry : parsed.value->Find("stream")->array()) {
    if (entry.TextAt("file") == name) return entry.Find("headers")->TextAt("X-Signature");
  }
  return {};
}

ChannelEvent TakeSample(const std::string& name) {
  const std::string body = ReadSample(name);
  const StreamIntake intake =
      VerifyAndParse(kIdentity, {body, SignatureOf(name), "5f1c2d3e"}, kNow);
  const auto* event = std::get_if<ChannelEvent>(&intake);
  EXPECT_NE(event, nullptr) << name;
  return event == nullptr ? ChannelEvent{} : *event;
}

TEST(StreamSamples, ANewMessageIsRead) {
  const ChannelEvent event = TakeSample("stream/message_new.json");
  EXPECT_EQ(event.cid.text(), "callouts:team-1");
  EXPECT_EQ(event.author.text(), "anya-1");
  EXPECT_EQ(event.ignored_because, "");
  EXPECT_EQ(router::FormatTime(event.created_at), "2026-11-29T09:30:00.394479Z");
}

TEST(StreamSamples, AReplyIsReadAndItsPackedDeliveryIsTheSameEvent) {
  const ChannelEvent event = TakeSample("stream/message_new_reply.json");
  EXPECT_EQ(event.author.text(), "ben-2");
  ASSERT_TRUE(event.thread.has_value());
  EXPECT_EQ(event.ignored_because, "");

  const std::string packed = Gzip(ReadSample("stream/message_new_reply.json"));
  const StreamIntake again = VerifyAndParse(
      kIdentity, {packed, SignatureOf("stream/message_new_reply.json"), "another"}, kNow);
  ASSERT_TRUE(std::holds_alternative<ChannelEvent>(again));
  EXPECT_EQ(router::DedupeKey(std::get<ChannelEvent>(again)), router::DedupeKey(event));
}

TEST(StreamSamples, TheBotsOwnMessageIsSeenAndNotAnswered) {
  EXPECT_EQ(TakeSample("stream/message_new_bot_echo.json").ignored_because, "own");
}

TEST(StreamSamples, TheOtherShapeTellsTheSame) {
  const ChannelEvent event = TakeSample("stream/message_new_ns_custom.json");
  EXPECT_EQ(event.author.text(), "anya-1");
  EXPECT_EQ(event.ignored_because, "");
  EXPECT_EQ(router::FormatTime(event.created_at), "2026-11-29T09:30:00.394479Z");
  EXPECT_EQ(router::FormatTime(event.happened_at), "2026-11-29T09:30:00.460717Z");
}

TEST(StreamSamples, OneChangedByteIsRefused) {
  const std::string name = "stream/message_new.json";
  std::string body = ReadSample(name);
  body[body.size() / 2] = static_cast<char>(body[body.size() / 2] ^ 1);
  const StreamIntake intake = VerifyAndParse(kIdentity, {body, SignatureOf(name), ""}, kNow);
  EXPECT_EQ(std::get<StreamRefusal>(intake), StreamRefusal::kBadSignature);
}

// A known answer that the vendor publishes for its own verifiers (samples/README.md).
TEST(StreamSamples, TheVendorsPublishedVectorHolds) {
  const StreamIdentity theirs{router::AppId("acme"), {"test_secret_do_not_use_in_production"}, {}};
  const StreamIntake intake =
      VerifyAndParse(theirs,
                     {R"({"type":"message.new","created_at":1778198400000000000})",
                      "408ab27d58b18a584d29f2801dde0d5ad20e5f5965039ac88d2ef49014a2c4a7", ""},
                     kNow);
  EXPECT_TRUE(std::holds_alternative<StreamIgnored>(intake));
}

}  // namespace
}  // namespace writ::connectors
