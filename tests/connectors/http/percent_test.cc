#include "connectors/http/percent.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::connectors {
namespace {

TEST(PercentEncode, LeavesUnreservedCharactersAndEncodesEveryOtherByte) {
  EXPECT_EQ(PercentEncode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(PercentEncode("a b+c/d?e&f=g%h:!"), "a%20b%2Bc%2Fd%3Fe%26f%3Dg%25h%3A%21");
  EXPECT_EQ(PercentEncode("\xc3\xa9"), "%C3%A9");
  EXPECT_EQ(PercentEncode(std::string("\0\xff", 2)), "%00%FF");
  EXPECT_EQ(PercentEncode(""), "");
}

}  // namespace
}  // namespace writ::connectors
