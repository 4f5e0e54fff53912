#include "bot/client/approval_words.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace writ::bot {
namespace {

using router::Json;

Json AnApproval() {
  return *router::ParseJson(R"({
    "approval_id": "apr_1", "asked": null, "tool": "crm__echo\u001b[31m", "cid": "callouts:team-1",
    "arguments": {"to": "a\u202emoc.live", "x": "\u001b]0;title\u0007"}, "status": "denied",
    "expires_at": "2026-01-01T12:00:00Z",
    "decision": {"approved": false, "reason": "no\nstatus: approved", "decided_by": "backend:\u200b",
                 "decided_at": "2026-01-01T11:00:00Z", "edited_arguments": null}})")
              .value;
}

TEST(ApprovalWords, ARowHasACellForEachColumn) {
  EXPECT_EQ(ApprovalRow(AnApproval()).size(), ApprovalColumns().size());
}

TEST(ApprovalWords, NoTextOfARecordReachesTheTerminalAsItIs) {
  std::string shown = ApprovalLines(AnApproval());
  for (const std::string& cell : ApprovalRow(AnApproval())) shown += cell;
  EXPECT_TRUE(std::ranges::none_of(shown, [](char c) {
    return c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7F);
  }));
  EXPECT_EQ(shown.find("\u202e"), std::string::npos);
  EXPECT_EQ(shown.find("\u200b"), std::string::npos);
  EXPECT_NE(shown.find("a\\u202emoc.live"), std::string::npos);
}

TEST(ApprovalWords, NoReasonCanPassForALineOfItsOwn) {
  EXPECT_EQ(ApprovalLines(AnApproval()).find("\nstatus: approved"), std::string::npos);
}

TEST(ApprovalWords, TheBackendIsNamedWhereNobodyElseIsAsked) {
  EXPECT_NE(ApprovalLines(AnApproval()).find("asked: (the backend)\n"), std::string::npos);
}

TEST(ApprovalWords, WhatIsCutIsSaidToBe) {
  Json approval = AnApproval();
  approval.Set("arguments", Json::MakeObject({{"text", std::string(5000, 'x')}}));
  EXPECT_NE(ApprovalLines(approval).find("Not all of it is shown here: --json has the whole."),
            std::string::npos);
}

}  // namespace
}  // namespace writ::bot
