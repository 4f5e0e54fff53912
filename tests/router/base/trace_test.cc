#include "router/base/trace.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::router {
namespace {

// The specification's own example.
const std::string kExample = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(Trace, AHeaderIsReadAsTheSpecificationHasIt) {
  EXPECT_EQ(ReadTraceparent(kExample), kExample);
  EXPECT_EQ(TraceIdOf(kExample), "4bf92f3577b34da6a3ce929d0e0e4736");
  std::string flagged = kExample;
  flagged.back() = '3';
  EXPECT_EQ(ReadTraceparent(flagged), kExample) << "of the flags only `sampled` is known";
  std::string not_sampled = kExample;
  not_sampled.back() = '0';
  EXPECT_EQ(ReadTraceparent(not_sampled), not_sampled);
}

TEST(Trace, ALaterVersionIsReadByThePartsThatThisOneHas) {
  const std::string later = "cc" + kExample.substr(2);
  EXPECT_EQ(ReadTraceparent(later), kExample);
  EXPECT_EQ(ReadTraceparent(later + "-what-the-future-adds"), kExample);
  EXPECT_EQ(ReadTraceparent(later + ".x"), "");
}

TEST(Trace, WhatIsNoTraceparentIsNone) {
  for (const std::string& wrong :
       {std::string(), std::string("00"), kExample + "-x", (kExample + ", ").append(kExample),
        "ff" + kExample.substr(2),
        std::string("00-4BF92F3577B34DA6A3CE929D0E0E4736-") + "00f067aa0ba902b7-01",
        std::string("00-00000000000000000000000000000000-00f067aa0ba902b7-01"),
        std::string("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"),
        std::string("00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01"),
        std::string("00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01"),
        kExample.substr(0, kExample.size() - 1)}) {
    EXPECT_EQ(ReadTraceparent(wrong), "") << wrong;
  }
}

TEST(Trace, EachPieceHasAParentOfItsOwnInTheSameTrace) {
  const std::string call = TraceOfPiece(kExample, "call_1");
  EXPECT_EQ(ReadTraceparent(call), call);
  EXPECT_EQ(TraceIdOf(call), TraceIdOf(kExample));
  EXPECT_EQ(call.substr(52), "-01");
  EXPECT_NE(call, kExample);
  EXPECT_NE(call, TraceOfPiece(kExample, "call_2"));
  EXPECT_EQ(call, TraceOfPiece(kExample, "call_1")) << "a request that is sent again is the same";
}

TEST(Trace, OneThatIsStartedIsNewAndOfNothingThereIsNoPiece) {
  const std::string one = StartTrace();
  EXPECT_EQ(ReadTraceparent(one), one);
  EXPECT_NE(one, StartTrace());
  EXPECT_EQ(TraceOfPiece("", "call_1"), "");
  EXPECT_EQ(TraceIdOf(""), "");
}

}  // namespace
}  // namespace writ::router
