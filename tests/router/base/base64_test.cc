#include "router/base/base64.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace writ::router {
namespace {

TEST(Base64, TheRfcsVectorsReadBothWays) {
  const std::pair<const char*, const char*> kVectors[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : kVectors) {
    EXPECT_EQ(Base64Encode(plain), text);
    EXPECT_EQ(Base64Decode(text), plain);
  }
}

TEST(Base64, AllBytesSurvive) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  const std::string text = Base64Encode(bytes);
  EXPECT_NE(text.find('+'), std::string::npos);
  EXPECT_NE(text.find('/'), std::string::npos);
  EXPECT_EQ(Base64Decode(text), bytes);
}

TEST(Base64, PaddingMayBeLeftOutButNotBeWrong) {
  EXPECT_EQ(Base64Decode("Zg"), "f");
  EXPECT_EQ(Base64Decode("Zm8"), "fo");
  for (const char* bad :
       {"Zg=", "Zg===", "=", "====", "Zm9v=", "Z", "Zh==", "Zm 8=", "Zm8=\n", "-_-_", "Zg==Zg=="}) {
    EXPECT_EQ(Base64Decode(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace writ::router
