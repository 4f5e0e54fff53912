#include "bot/demo/page/own_host.h"

#include <gtest/gtest.h>

namespace writ::bot {
namespace {

TEST(OwnHost, TheLoopbacksNamesAreOurs) {
  for (const char* host :
       {"localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080"}) {
    EXPECT_TRUE(IsOwnHost(host, "127.0.0.1")) << host;
  }
}

TEST(OwnHost, AnotherNameIsNotEvenIfItLeadsHere) {
  for (const char* host : {"evil.example", "evil.example:8080", "localhost.evil.example",
                           "127.0.0.1.evil.example", "", ":8080", "[", "[]", "[::1", "10.0.0.7",
                           "127.0.0.1@evil.example", "evil.example#localhost"}) {
    EXPECT_FALSE(IsOwnHost(host, "127.0.0.1")) << host;
  }
}

TEST(OwnHost, WhatIsConfiguredIsOurs) {
  EXPECT_TRUE(IsOwnHost("Demo.example.org:80", "demo.example.org"));
  EXPECT_FALSE(IsOwnHost("other.example.org", "demo.example.org"));
  EXPECT_TRUE(IsOwnHost("[fd00::7]:80", "fd00::7"));
  EXPECT_FALSE(IsOwnHost("[fd00::8]", "fd00::7"));
}

TEST(OwnHost, OnEveryAddressAnyIsOursButNoName) {
  for (const char* every : {"0.0.0.0", "::"}) {
    EXPECT_TRUE(IsOwnHost("192.168.1.5:8080", every));
    EXPECT_TRUE(IsOwnHost("[fd00::7]:8080", every));
    EXPECT_FALSE(IsOwnHost("evil.example:8080", every));
  }
}

}  // namespace
}  // namespace writ::bot
