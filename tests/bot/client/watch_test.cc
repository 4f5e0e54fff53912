#include "bot/client/watch.h"

#include <gtest/gtest.h>

namespace writ::bot {
namespace {

using router::Json;

Json An(const char* id, const char* status, bool consumed = false) {
  return Json::MakeObject({{"approval_id", id}, {"status", status}, {"consumed", consumed}});
}

std::vector<std::string> IdsOf(const std::vector<Json>& approvals) {
  std::vector<std::string> ids;
  ids.reserve(approvals.size());
  for (const Json& approval : approvals) ids.push_back(approval.TextAt("approval_id"));
  return ids;
}

TEST(Watch, EachIsToldWhenItAppearsAndWhenSomethingBecameOfIt) {
  Watch watch;
  EXPECT_EQ(IdsOf(watch.Changed({An("b", "pending"), An("a", "denied")})),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(watch.Changed({An("b", "pending"), An("a", "denied")}).empty());
  EXPECT_EQ(IdsOf(watch.Changed({An("c", "pending"), An("b", "approved")})),
            (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(IdsOf(watch.Changed({An("b", "approved", true)})), (std::vector<std::string>{"b"}));
}

TEST(Watch, WhatWasPendingAndLeftTheListIsAskedFor) {
  Watch watch;
  (void)watch.Changed({An("b", "pending"), An("a", "denied")});
  EXPECT_EQ(watch.Missing({}), (std::vector<std::string>{"b"}));
  EXPECT_TRUE(watch.Missing({An("b", "pending")}).empty());
  (void)watch.Changed({An("b", "expired")});
  EXPECT_TRUE(watch.Missing({}).empty());
}

}  // namespace
}  // namespace writ::bot
