#include "connectors/http/inflate.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace writ::connectors {
namespace {

constexpr std::size_t kEnough = 1024;

TEST(Inflate, GivesBackWhatWasPacked) {
  const std::string body = R"({"type":"message.new","text":"caf\u00e9 ☕"})";
  const auto inflated = Inflate(Gzip(body), kEnough);
  ASSERT_TRUE(std::holds_alternative<std::string>(inflated));
  EXPECT_EQ(std::get<std::string>(inflated), body);
}

TEST(Inflate, TheFirstTwoBytesTellGzipFromJson) {
  EXPECT_TRUE(IsGzip(Gzip("{}")));
  EXPECT_FALSE(IsGzip("{}"));
  EXPECT_FALSE(IsGzip("\x1f"));
  EXPECT_FALSE(IsGzip(""));
}

TEST(Inflate, ExactlyTheLimitPassesAndOneByteMoreDoesNot) {
  EXPECT_TRUE(std::holds_alternative<std::string>(Inflate(Gzip(std::string(1024, 'a')), 1024)));
  const auto over = Inflate(Gzip(std::string(1025, 'a')), 1024);
  ASSERT_TRUE(std::holds_alternative<InflateFault>(over));
  EXPECT_EQ(std::get<InflateFault>(over), InflateFault::kTooLarge);
}

TEST(Inflate, AnEmptyBodyIsABody) {
  const auto inflated = Inflate(Gzip(""), 0);
  ASSERT_TRUE(std::holds_alternative<std::string>(inflated));
  EXPECT_EQ(std::get<std::string>(inflated), "");
}

TEST(Inflate, ABombStopsAtTheLimit) {
  const std::string bomb = Gzip(std::string(std::size_t{64} << 20, '\0'));
  ASSERT_LT(bomb.size(), std::size_t{100'000});
  const auto inflated = Inflate(bomb, std::size_t{8} << 20);
  ASSERT_TRUE(std::holds_alternative<InflateFault>(inflated));
  EXPECT_EQ(std::get<InflateFault>(inflated), InflateFault::kTooLarge);
}

TEST(Inflate, WhatIsCutOffChangedOrFollowedByOtherBytesIsBroken) {
  const std::string packed = Gzip("a body of some length");
  for (std::size_t length = 0; length < packed.size(); ++length) {
    EXPECT_TRUE(std::holds_alternative<InflateFault>(Inflate(packed.substr(0, length), kEnough)))
        << length;
  }
  std::string changed = packed;
  changed[changed.size() - 6] = static_cast<char>(changed[changed.size() - 6] ^ 1);  // its CRC
  EXPECT_TRUE(std::holds_alternative<InflateFault>(Inflate(changed, kEnough)));
  EXPECT_TRUE(std::holds_alternative<InflateFault>(Inflate(packed + "x", kEnough)));
}

TEST(Inflate, SeveralMembersAreOneBody) {
  const auto inflated = Inflate(Gzip("{\"a\":") + Gzip("1}"), kEnough);
  ASSERT_TRUE(std::holds_alternative<std::string>(inflated));
  EXPECT_EQ(std::get<std::string>(inflated), "{\"a\":1}");
}

}  // namespace
}  // namespace writ::connectors
