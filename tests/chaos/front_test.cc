#include "tests/chaos/front.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace writ::chaos {

TEST(FrontConfig, IsOurExampleWithItsNodesAndWithoutTls) {
  std::ostringstream example;
  example << std::ifstream("config/nginx.conf").rdbuf();
  const std::string config = FrontConfig(example.str(), {4001, 4002}, 4000, "/tmp/front");
  EXPECT_NE(config.find("server 127.0.0.1:4001"), std::string::npos);
  EXPECT_NE(config.find("server 127.0.0.1:4002"), std::string::npos);
  EXPECT_NE(config.find("listen 127.0.0.1:4000;"), std::string::npos);
  EXPECT_NE(config.find("proxy_pass http://writ;"), std::string::npos);
  EXPECT_EQ(config.find("8080"), std::string::npos);
  EXPECT_EQ(config.find("443"), std::string::npos);
  EXPECT_EQ(config.find("ssl"), std::string::npos);
}

TEST(FrontConfig, RefusesAnExampleWithoutNodes) {
  EXPECT_THROW((void)FrontConfig("server { }", {4001}, 4000, "/tmp/front"), std::runtime_error);
}

}  // namespace writ::chaos
