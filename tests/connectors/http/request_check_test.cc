#include "connectors/http/request_check.h"

#include <gtest/gtest.h>

namespace writ::connectors {
namespace {

router::HttpRequest To(std::string url) {
  router::HttpRequest request;
  request.url = std::move(url);
  return request;
}

// The origin, or why there is none.
std::string Checked(const router::HttpRequest& request) {
  const auto checked = CheckRequest(request);
  if (const auto* target = std::get_if<Target>(&checked)) return target->origin;
  return "refused: " + std::get<BadRequest>(checked).why;
}

bool IsRefused(const router::HttpRequest& request) {
  return Checked(request).starts_with("refused: ");
}

TEST(CheckRequest, TheOriginIsAllThatIsShown) {
  EXPECT_EQ(Checked(To("https://Api.Example.com/v1?key=secret")), "https://api.example.com:443");
  EXPECT_EQ(Checked(To("http://anya:secret@example.com:8080/#x")), "http://example.com:8080");
  EXPECT_EQ(Checked(To("HTTP://[::1]/")), "http://[::1]:80");
}

TEST(CheckRequest, OnlyHttpGoesOut) {
  for (const char* url : {"", "example.com", "/v1", "file:///etc/passwd", "ftp://example.com/",
                          "gopher://example.com/", "http://", "http://example.com:99999/",
                          "smb://example.com/x", "javascript:alert(1)"}) {
    EXPECT_TRUE(IsRefused(To(url))) << url << " " << Checked(To(url));
  }
}

TEST(CheckRequest, NoControlCharacterGetsIntoAUrl) {
  for (const char* url :
       {"http://example.com/a\r\nX: y", "http://example.com/a\nb", "http://example.com/a b",
        "http://example.com/\t", "http://exa\rmple.com/", "http://example.com/\x7f"}) {
    EXPECT_TRUE(IsRefused(To(url))) << url;
  }
  EXPECT_TRUE(IsRefused(To(std::string("http://example.com/a\0b", 22))));
}

TEST(CheckRequest, NoHeaderWritesAnother) {
  router::HttpRequest request = To("http://example.com/");
  for (const char* value : {"a\r\nX: y", "a\nX: y", "a\rb", "\x01", "a\x7f"}) {
    request.headers = {{"X-A", value}};
    EXPECT_TRUE(IsRefused(request)) << value;
  }
  request.headers = {{"X-A", std::string("a\0b", 3)}};
  EXPECT_TRUE(IsRefused(request));
  for (const char* name :
       {"", "X A", "X:A", "X-A\r\n", "X-\xC3\xA9", "Content-Length", "transfer-encoding"}) {
    request.headers = {{name, "1"}};
    EXPECT_TRUE(IsRefused(request)) << name;
  }
  request.headers = {{"X-A", "caf\xC3\xA9 \t ok"}};
  EXPECT_FALSE(IsRefused(request));
}

TEST(CheckRequest, AMethodIsAWord) {
  router::HttpRequest request = To("http://example.com/");
  for (const char* method : {"", "GET /admin HTTP/1.1\r\nX:", "G T"}) {
    request.method = method;
    EXPECT_TRUE(IsRefused(request)) << method;
  }
}

TEST(CheckRequest, TheReasonRepeatsNothing) {
  router::HttpRequest request = To("http://example.com/?secret\n");
  EXPECT_EQ(Checked(request).find("secret"), std::string::npos);
  request = To("http://example.com/");
  request.headers = {{"X-Secret\n", "secret"}};
  EXPECT_EQ(Checked(request).find("ecret"), std::string::npos);
}

}  // namespace
}  // namespace writ::connectors
