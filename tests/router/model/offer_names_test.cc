#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "router/model/model.h"

namespace writ::router {
namespace {

bool FitsEveryProvider(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

TEST(OfferNames, ANameThatFitsStaysAsItIs) {
  EXPECT_EQ(OfferNames({"crm__echo", "crm__get-sum"}),
            (std::vector<std::string>{"crm__echo", "crm__get-sum"}));
}

TEST(OfferNames, NamesThatCollideAfterCleaningAreToldApart) {
  const auto names = OfferNames({"crm__a.b", "crm__a/b", "crm__a_b"});
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 3U);
  EXPECT_EQ(names[2], "crm__a_b");
  for (const auto& name : names) EXPECT_TRUE(FitsEveryProvider(name)) << name;
}

TEST(OfferNames, ALongNameIsCutAndMarked) {
  const std::string long_name = "crm__" + std::string(115, 'x');
  const auto names = OfferNames({long_name, long_name + "y"});
  EXPECT_EQ(names[0].size(), 64U);
  EXPECT_NE(names[0], names[1]);
}

TEST(OfferNames, TheOrderOfTheListDoesNotMatter) {
  const auto one = OfferNames({"crm__a.b", "crm__a/b", "crm__ü"});
  const auto other = OfferNames({"crm__ü", "crm__a/b", "crm__a.b"});
  EXPECT_EQ(one[0], other[2]);
  EXPECT_EQ(one[1], other[1]);
  EXPECT_EQ(one[2], other[0]);
}

TEST(OfferNames, AMadeNameNeverTakesARealOnesPlace) {
  const std::string made = OfferNames({"crm__a.b"}).front();
  const auto names = OfferNames({"crm__a.b", made});
  EXPECT_EQ(names[1], made);
  EXPECT_NE(names[0], made);
}

TEST(OfferNames, NothingAndTheSameTwiceGetNamesToo) {
  const auto names = OfferNames({"", "crm__echo", "crm__echo"});
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 3U);
  for (const auto& name : names) EXPECT_TRUE(FitsEveryProvider(name)) << name;
}

}  // namespace
}  // namespace writ::router
