#pragma once

#include "tests/contract/engine_contract.h"

namespace writ::store {

inline AuditRow AnEntry(const std::string& doc, const std::string& app = "acme") {
  return {app, 0, doc, 0, ""};
}

inline std::vector<std::string> DocsOf(const std::vector<AuditRow>& rows) {
  std::vector<std::string> docs;
  docs.reserve(rows.size());
  for (const AuditRow& row : rows) docs.push_back(row.doc);
  return docs;
}

TEST_P(EngineContract, ASessionsAuditNumbersGrowByOne) {
  const auto next = [&](const char* session) {
    return Commit([&](Records& records) { return records.NextAuditNumber(session); });
  };
  EXPECT_EQ(next("ses-1"), 1);
  EXPECT_EQ(next("ses-1"), 2);
  EXPECT_EQ(next("ses-2"), 1);
  EXPECT_THROW(engine().Commit([](Records& records) {
    records.NextAuditNumber("ses-1");
    throw std::runtime_error("rolled back");
  }),
               std::runtime_error);
  EXPECT_EQ(next("ses-1"), 3) << "what was rolled back leaves no gap";
}

TEST_P(EngineContract, EntriesWaitInTheirOrderUntilTheyAreSealed) {
  Commit([](Records& records) {
    for (const char* doc : {"a", "b", "c"}) records.InsertAudit(AnEntry(doc));
    records.InsertAudit(AnEntry("theirs", "globex"));
  });
  const auto unsealed = Read([](Records& records) { return records.UnsealedAudit("acme", 10); });
  ASSERT_EQ(DocsOf(unsealed), (Ids{"a", "b", "c"}));
  EXPECT_LT(unsealed[0].place, unsealed[1].place);
  EXPECT_EQ(unsealed[0].app, "acme");
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.UnsealedAudit("acme", 2); })),
            (Ids{"a", "b"}));
  Commit([&](Records& records) {
    records.SealAudit(unsealed[0].place, 1, "mac-1");
    records.SealAudit(unsealed[1].place, 2, "mac-2");
  });
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.UnsealedAudit("acme", 10); })),
            Ids{"c"});
  const auto sealed = Read([](Records& records) { return records.SealedAudit("acme", 0, 10); });
  ASSERT_EQ(DocsOf(sealed), (Ids{"a", "b"}));
  EXPECT_EQ(sealed[0].seal, 1);
  EXPECT_EQ(sealed[0].mac, "mac-1");
  EXPECT_EQ(sealed[0].place, unsealed[0].place);
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.SealedAudit("acme", 1, 10); })),
            Ids{"b"});
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.SealedAudit("acme", 0, 1); })),
            Ids{"a"});
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.SealedAudit("globex", 0, 9); })),
            Ids{});
}

TEST_P(EngineContract, WhatStandsBesideAnEntryIsEmptiedAloneSealedOrNot) {
  Commit([](Records& records) {
    for (const char* doc : {"a", "b"}) {
      AuditRow entry = AnEntry(doc);
      entry.aside = std::string("beside ") + doc;
      records.InsertAudit(entry);
    }
    records.SealAudit(records.UnsealedAudit("acme", 1)[0].place, 1, "mac");
  });
  const auto rows = [&] {
    return Read([](Records& records) {
      auto all = records.SealedAudit("acme", 0, 9);
      for (const AuditRow& row : records.UnsealedAudit("acme", 9)) all.push_back(row);
      return all;
    });
  };
  auto before = rows();
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0].aside, "beside a") << "sealing leaves it";
  EXPECT_EQ(before[1].aside, "beside b");
  Commit([&](Records& records) {
    records.SetAuditAside(before[0].place, "");
    records.SetAuditAside(before[1].place, "");
    records.SetAuditAside(before[1].place + 1000, "not there");
  });
  const auto after = rows();
  ASSERT_EQ(DocsOf(after), (Ids{"a", "b"}));
  EXPECT_EQ(after[0].aside, "");
  EXPECT_EQ(after[0].seal, 1);
  EXPECT_EQ(after[0].mac, "mac");
  EXPECT_EQ(after[1].aside, "");
}

TEST_P(EngineContract, TheFrontOfAnAppsSealedEntriesCanBeRemoved) {
  Commit([](Records& records) {
    for (const char* doc : {"a", "b", "c"}) records.InsertAudit(AnEntry(doc));
    records.InsertAudit(AnEntry("theirs", "globex"));
    std::int64_t seal = 0;
    for (const AuditRow& row : records.UnsealedAudit("acme", 2)) {
      records.SealAudit(row.place, ++seal, "mac");
    }
    records.SealAudit(records.UnsealedAudit("globex", 1)[0].place, 1, "mac");
  });
  Commit([](Records& records) { records.DeleteAuditThrough("acme", 1); });
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.SealedAudit("acme", 0, 9); })),
            Ids{"b"});
  Commit([](Records& records) { records.DeleteAuditThrough("acme", 99); });
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.SealedAudit("acme", 0, 9); })),
            Ids{});
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.UnsealedAudit("acme", 9); })),
            Ids{"c"});
  EXPECT_EQ(DocsOf(Read([](Records& records) { return records.SealedAudit("globex", 0, 9); })),
            Ids{"theirs"});
}

TEST_P(EngineContract, AChainsEndIsReplacedByWhoeverSawItLast) {
  const auto none = Read([](Records& records) { return records.FindAuditChain("acme"); });
  EXPECT_EQ(none.app, "acme");
  EXPECT_EQ(none.seal, 0);
  EXPECT_EQ(none.mac, "");
  EXPECT_EQ(none.checkpoint, "");
  const auto save = [&](const AuditChainRow& row, std::int64_t if_seal) {
    return Commit([&](Records& records) { return records.SaveAuditChain(row, if_seal); });
  };
  EXPECT_FALSE(save({"acme", 5, "m5", ""}, 4));
  EXPECT_TRUE(save({"acme", 5, "m5", ""}, 0));
  EXPECT_FALSE(save({"acme", 6, "other", ""}, 0)) << "another sealed meanwhile";
  EXPECT_TRUE(save({"acme", 5, "m5", "checkpoint"}, 5));
  EXPECT_TRUE(save({"globex", 1, "g1", ""}, 0));
  const auto found = Read([](Records& records) { return records.FindAuditChain("acme"); });
  EXPECT_EQ(found.seal, 5);
  EXPECT_EQ(found.mac, "m5");
  EXPECT_EQ(found.checkpoint, "checkpoint");
}

}  // namespace writ::store
