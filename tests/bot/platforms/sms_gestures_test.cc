#include "bot/platforms/sms_gestures.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "router/turn/answer_code.h"

namespace writ::tests {

using router::AnswerCodeOf;
using router::ApprovalRecord;
using router::ApprovalStatus;

namespace {

ApprovalRecord Waiting(const std::string& id) {
  ApprovalRecord record;
  record.id = router::ApprovalId(id);
  record.tool = "crm__echo";
  record.mark_key = "a key";
  return record;
}

// Two whose codes are the same by chance.
std::pair<ApprovalRecord, ApprovalRecord> TwoOfOneCode() {
  std::map<std::string, ApprovalRecord> by_code;
  for (int i = 0;; ++i) {
    ApprovalRecord record = Waiting("apr_" + std::to_string(i));
    const auto [other, is_new] = by_code.emplace(AnswerCodeOf(record), record);
    if (!is_new) return {other->second, record};
  }
}

}  // namespace

TEST(SmsMeant, IsTheCallOfThatCodeAndNoOther) {
  const ApprovalRecord one = Waiting("apr_one");
  const ApprovalRecord two = Waiting("apr_two");
  const auto meant = bot::MeantBy(AnswerCodeOf(two), {one, two}, {});
  ASSERT_TRUE(meant.record);
  EXPECT_EQ(meant.record->id, two.id);
  EXPECT_FALSE(bot::MeantBy(AnswerCodeOf(two), {one}, {}).record);
  EXPECT_FALSE(bot::MeantBy("", {one, two}, {}).record);
  EXPECT_FALSE(bot::MeantBy(AnswerCodeOf(two), {one, two}, {"crm__echo"}).record)
      << "answered by a link alone";
}

TEST(SmsMeant, IsTheOneThatWaitsBeforeOneThatIsOver) {
  auto [waits, over] = TwoOfOneCode();
  over.status = ApprovalStatus::kApproved;
  for (const auto& put : {std::vector{waits, over}, std::vector{over, waits}}) {
    const auto meant = bot::MeantBy(AnswerCodeOf(waits), put, {});
    ASSERT_TRUE(meant.record);
    EXPECT_EQ(meant.record->id, waits.id);
  }
  EXPECT_EQ(bot::MeantBy(AnswerCodeOf(over), {over}, {}).record->id, over.id);
}

TEST(SmsMeant, IsNoneOfTwoThatWaitWithTheSameCode) {  // fault 45
  const auto [one, two] = TwoOfOneCode();
  const auto meant = bot::MeantBy(AnswerCodeOf(one), {one, two}, {});
  EXPECT_FALSE(meant.record);
  EXPECT_TRUE(meant.is_of_several);
}

}  // namespace writ::tests
