#include "router/approval/inbox_right.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace writ::router {
namespace {

constexpr std::string_view kSecret = "a secret of the app";

ApprovalRecord Asked() {
  ApprovalRecord record;
  record.app = AppId("acme");
  record.id = ApprovalId("apr_1");
  record.asked = UserId("anya-1");
  record.expires_at = TimePoint(std::chrono::seconds(1'800'000'000));
  return record;
}

TEST(InboxRight, FitsItsRecordAloneAsItStandsNow) {
  const std::string right = InboxRightFor(Asked(), kSecret);
  EXPECT_TRUE(IsInboxRight(right, Asked(), kSecret));
  EXPECT_FALSE(IsInboxRight(right, Asked(), "another secret"));
  EXPECT_FALSE(IsInboxRight(right + "A", Asked(), kSecret));
  EXPECT_FALSE(IsInboxRight("", Asked(), kSecret));
  const std::vector<std::function<void(ApprovalRecord&)>> changes{
      [](ApprovalRecord& record) { record.app = AppId("beta"); },
      [](ApprovalRecord& record) { record.id = ApprovalId("apr_2"); },
      [](ApprovalRecord& record) { record.asked = UserId("ben-2"); },
      [](ApprovalRecord& record) { record.expires_at += std::chrono::seconds(1); }};
  for (const auto& change : changes) {
    ApprovalRecord record = Asked();
    change(record);
    EXPECT_FALSE(IsInboxRight(right, record, kSecret));
  }
}

TEST(InboxRight, OfACallThatIsAskedOfNobodyThereIsNone) {
  ApprovalRecord record = Asked();
  record.asked = UserId();
  EXPECT_FALSE(IsInboxRight(InboxRightFor(record, kSecret), record, kSecret));
  EXPECT_FALSE(IsInboxRight(InboxRightFor(Asked(), ""), Asked(), ""));
}

TEST(InboxRight, StandsBehindTheHashInALink) {
  const std::string link = InboxLinkFor("https://bot.example.org/inbox", Asked(), "k1", kSecret);
  EXPECT_EQ(link, "https://bot.example.org/inbox?approval=apr_1#key=k1&right=" +
                      InboxRightFor(Asked(), kSecret));
  EXPECT_LT(InboxRightFor(Asked(), kSecret).size(), 30U);
}

}  // namespace
}  // namespace writ::router
