#include "router/base/digest.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "router/base/json.h"

namespace writ::router {
namespace {

std::string Read(const std::string& name) {
  std::ifstream file("tests/data/samples/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Json ReadJson(const std::string& name) {
  auto parsed = ParseJson(Read(name));
  EXPECT_TRUE(parsed.value) << name << ": " << parsed.fault;
  return std::move(parsed.value).value_or(Json());
}

TEST(Digest, EveryVectorHasItsCanonicalTextAndItsDigest) {
  const Json vectors = ReadJson("digest/vectors.json");
  ASSERT_GE(vectors.array().size(), 18U);
  for (const Json& vector : vectors.array()) {
    SCOPED_TRACE(vector.TextAt("name"));
    const auto arguments = ParseJson(vector.TextAt("arguments_json"));
    ASSERT_TRUE(arguments.value) << arguments.fault;
    const Json call = Json::MakeObject({{"tool", vector.TextAt("tool")},
                                        {"kind", vector.TextAt("kind")},
                                        {"arguments", *arguments.value}});
    EXPECT_EQ(call.Canonical(), vector.TextAt("canonical"));
    EXPECT_EQ(Sha256Hex(call.Canonical()), vector.TextAt("sha256"));
  }
}

TEST(Digest, Sha256GivesTheKnownAnswers) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// RFC 4231, cases 1, 2 and 6.
TEST(Hmac, GivesTheKnownAnswers) {
  EXPECT_EQ(HmacSha256Hex(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(HmacSha256Hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(HmacSha256Hex(std::string(131, '\xaa'),
                          "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Hmac, AnEmptyKeyIsAKey) {
  EXPECT_EQ(HmacSha256Hex("", ""),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
  EXPECT_EQ(HmacSha256Hex({}, {}), HmacSha256Hex("", ""));
}

TEST(Hmac, SignsTheSampleWebhooksAsStreamDoes) {
  const Json signatures = ReadJson("signatures.json");
  const std::string secret = signatures.Find("secrets")->TextAt("stream_api_secret");
  int checked = 0;
  for (const Json& sample : signatures.Find("stream")->array()) {
    const std::string file = sample.TextAt("file");
    if (!file.ends_with(".json")) continue;  // the gzipped one
    EXPECT_EQ(Sha256Hex(Read(file)), sample.TextAt("sha256")) << file;
    EXPECT_EQ(HmacSha256Hex(secret, Read(file)), sample.Find("headers")->TextAt("X-Signature"))
        << file;
    ++checked;
  }
  EXPECT_EQ(checked, 4);
}

// Published by the vendor.
TEST(Hmac, GivesStreamsOwnAnswer) {
  EXPECT_EQ(HmacSha256Hex("test_secret_do_not_use_in_production",
                          R"({"type":"message.new","created_at":1778198400000000000})"),
            "408ab27d58b18a584d29f2801dde0d5ad20e5f5965039ac88d2ef49014a2c4a7");
}

TEST(EqualInConstantTime, ComparesContentAndLength) {
  EXPECT_TRUE(EqualInConstantTime("", {}));
  EXPECT_TRUE(EqualInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualInConstantTime("abc", "ab"));
}

TEST(RandomBytes, AreAsManyAsAskedForAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string bytes = RandomBytes(16);
    EXPECT_EQ(bytes.size(), 16U);
    EXPECT_TRUE(seen.insert(bytes).second);
  }
  EXPECT_TRUE(RandomBytes(0).empty());
}

// RFC 4648, section 10, without padding.
TEST(Base64Url, GivesTheKnownAnswers) {
  EXPECT_EQ(Base64UrlEncode(""), "");
  EXPECT_EQ(Base64UrlEncode("f"), "Zg");
  EXPECT_EQ(Base64UrlEncode("fo"), "Zm8");
  EXPECT_EQ(Base64UrlEncode("foo"), "Zm9v");
  EXPECT_EQ(Base64UrlEncode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Base64UrlEncode("\xfb\xff"), "-_8");
}

TEST(Base64Url, ComesBackAsItWas) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(Base64UrlDecode(Base64UrlEncode(bytes)), bytes);
    bytes += static_cast<char>(i * 37);
  }
}

TEST(Base64Url, RefusesWhatIsNotItsOnlySpelling) {
  for (const char* text : {"Zg==", "Zm8=", "Zg=", "Z", "Zm9vY", "Zm9 v", "Zm9v\n", "+/8", "Zh",
                           "Zm9", "Zm\xC3\xA9v"}) {
    EXPECT_EQ(Base64UrlDecode(text), std::nullopt) << text;
  }
  EXPECT_EQ(Base64UrlDecode(std::string_view("Zm\0v", 4)), std::nullopt);
}

}  // namespace
}  // namespace writ::router
