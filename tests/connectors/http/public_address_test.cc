#include "connectors/http/public_address.h"

#include <gtest/gtest.h>

namespace writ::connectors {
namespace {

TEST(PublicAddress, WhatIsOfThisMachineOrANetworkOfItsOwnIsNotPublic) {
  for (const char* text : {"127.0.0.1",       "127.255.255.254", "0.0.0.0",    "10.0.0.1",
                           "100.64.0.1",      "169.254.169.254", "172.16.0.1", "172.31.255.255",
                           "192.168.1.1",     "198.18.0.1",      "224.0.0.1",  "240.0.0.1",
                           "255.255.255.255", "192.0.0.192",     "::",         "::1",
                           "fe80::1",         "fe80::1%eth0",    "fc00::1",    "fd00:ec2::254",
                           "ff02::1",         "2001:db8::1",     "2001::1",    "3fff::1",
                           "64:ff9b:1::a00:1"}) {
    EXPECT_FALSE(IsPublicAddress(text)) << text;
  }
}

TEST(PublicAddress, AnAddressWithinAnotherCounts) {
  for (const char* text : {"::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:a00:1",
                           "64:ff9b::10.0.0.1", "2002:7f00:1::", "::127.0.0.1"}) {
    EXPECT_FALSE(IsPublicAddress(text)) << text;
  }
  for (const char* text : {"::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"}) {
    EXPECT_TRUE(IsPublicAddress(text)) << text;
  }
}

TEST(PublicAddress, TheRestOfTheInternetIs) {
  for (const char* text : {"8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1",
                           "100.128.0.1", "223.255.255.1", "2606:4700::1111", "2a00:1450::1"}) {
    EXPECT_TRUE(IsPublicAddress(text)) << text;
  }
}

TEST(PublicAddress, WhatIsNoAddressIsNotPublic) {
  for (const char* text : {"", "localhost", "8.8.8", "example.org", "8.8.8.8 "}) {
    EXPECT_FALSE(IsPublicAddress(text)) << text;
  }
}

TEST(PublicAddress, AUrlNamesAPrivateAddressHoweverItIsWritten) {
  for (const char* url :
       {"http://127.0.0.1:9000/mcp", "http://[::1]/", "http://localhost:1/", "http://LOCALHOST/",
        "http://127.1/", "http://0x7f000001/", "http://2130706433/", "http://0177.0.0.1/",
        "http://10.1.2.3", "http://[fd00::1]:8443/", "http://[::ffff:10.0.0.1]/"}) {
    EXPECT_TRUE(NamesPrivateAddress(url)) << url;
  }
  for (const char* url :
       {"https://example.org", "https://8.8.8.8", "https://crm.internal",
        "https://localhost.example.org", "https://[2606:4700::1111]/", "no url"}) {
    EXPECT_FALSE(NamesPrivateAddress(url)) << url;
  }
}

}  // namespace
}  // namespace writ::connectors
