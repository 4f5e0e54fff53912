#include "router/base/http.h"

#include <gtest/gtest.h>

namespace writ::router {
namespace {

TEST(HttpResponse, GivesTheFirstHeaderOfAName) {
  const HttpResponse response{.status = 200,
                              .headers = {{"a", "1"}, {"retry-after", "2"}, {"retry-after", "3"}},
                              .body = ""};
  ASSERT_NE(response.Header("retry-after"), nullptr);
  EXPECT_EQ(*response.Header("retry-after"), "2");
  EXPECT_EQ(response.Header("retry"), nullptr);
}

}  // namespace
}  // namespace writ::router
