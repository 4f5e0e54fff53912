#include "store/redis/address.h"

#include <gtest/gtest.h>

#include <string>

#include "router/base/failure.h"

namespace writ::store {
namespace {

std::string WhyNot(const std::string& url) {
  try {
    (void)ReadRedisUrl(url);
  } catch (const router::Failure& failure) {
    EXPECT_EQ(failure.kind(), router::Failure::Kind::kPermanent);
    return failure.what();
  }
  return "";
}

TEST(RedisUrl, NamesAHostAPortAUserAndADatabase) {
  const RedisAddress address = ReadRedisUrl("redis://writ:p%40ss%3Aw@redis.example.org:6380/3");
  EXPECT_EQ(address.host, "redis.example.org");
  EXPECT_EQ(address.port, 6380);
  EXPECT_EQ(address.user, "writ");
  EXPECT_EQ(address.password, "p@ss:w");
  EXPECT_EQ(address.database, 3);
  EXPECT_EQ(address.path, "");
}

TEST(RedisUrl, LeavesOutWhatIsAsUsual) {
  const RedisAddress address = ReadRedisUrl("redis://localhost");
  EXPECT_EQ(address.host, "localhost");
  EXPECT_EQ(address.port, 6379);
  EXPECT_EQ(address.user, "");
  EXPECT_EQ(address.password, "");
  EXPECT_EQ(address.database, 0);
  EXPECT_EQ(ReadRedisUrl("redis://:secret@localhost/").password, "secret");
  EXPECT_EQ(ReadRedisUrl("redis://[::1]:7000").host, "::1");
  EXPECT_EQ(ReadRedisUrl("redis://[::1]").port, 6379);
}

TEST(RedisUrl, NamesASocket) {
  const RedisAddress address = ReadRedisUrl("unix:///run/redis/redis.sock?db=2");
  EXPECT_EQ(address.path, "/run/redis/redis.sock");
  EXPECT_EQ(address.database, 2);
  EXPECT_EQ(ReadRedisUrl("unix://writ:secret@/run/r.sock").password, "secret");
}

TEST(RedisUrl, ThatAsksForTlsIsRefusedAndSaysWhatToDo) {
  const std::string why = WhyNot("rediss://:hunter2@redis.example.org");
  EXPECT_NE(why.find("TLS"), std::string::npos) << why;
  EXPECT_NE(why.find("tunnel"), std::string::npos) << why;
  EXPECT_EQ(why.find("hunter2"), std::string::npos) << why;
}

TEST(RedisUrl, ThatIsNoneIsRefusedWithoutAWordOfIt) {
  for (const std::string url :
       {"", "hunter2", "http://hunter2", "redis://", "redis://hunter2@host", "redis://h:hunter2",
        "redis://h:70000", "redis://h/hunter2", "redis://h/-1", "unix://hunter2", "unix:///s?x=1",
        "redis://:hunter2%4@h", "redis://:hunter2%zz@h"}) {
    const std::string why = WhyNot(url);
    EXPECT_NE(why, "") << url;
    EXPECT_EQ(why.find("hunter2"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace writ::store
