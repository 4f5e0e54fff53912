#include "connectors/http/client_credentials.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::connectors {
namespace {

using namespace std::chrono_literals;
using router::HttpFailure;
using tests::HttpFails;
using tests::HttpReply;

class ClientCredentialsTest : public testing::Test {
 protected:
  static ClientCredentialsOptions Options() {
    ClientCredentialsOptions options;
    options.token_url = "https://id.example.org/token";
    options.client_id = "writ bot";
    options.client_secret = "s3cr3t:/+";
    options.scope = "orders:write";
    return options;
  }
  void Get(std::chrono::milliseconds patience = 5s, const std::stop_token& stop = {}) {
    tokens_->Get(patience, stop, [this](const ClientCredentials::Outcome& outcome) {
      const auto* none = std::get_if<ClientCredentials::NoToken>(&outcome);
      came_.push_back(none == nullptr ? std::get<std::string>(outcome) : "none: " + none->why);
    });
  }
  // What comes of one more Get.
  std::string Token() {
    Get();
    http_.Run();
    return came_.empty() ? "nothing" : came_.back();
  }
  void Answer(const std::string& body, int status = 200) { http_.Queue(HttpReply(status, body)); }
  void Use(const ClientCredentialsOptions& options) {
    tokens_ = std::make_shared<ClientCredentials>(http_, clock_, options);
  }

  tests::FakeClock clock_;
  tests::FakeHttp http_;
  std::shared_ptr<ClientCredentials> tokens_ =
      std::make_shared<ClientCredentials>(http_, clock_, Options());
  std::vector<std::string> came_;
};

TEST_F(ClientCredentialsTest, AsksByTheStandardsForm) {
  Answer(R"({"access_token":"t1","token_type":"Bearer","expires_in":3600})");
  EXPECT_EQ(Token(), "t1");
  const router::HttpRequest& sent = http_.sent().at(0);
  EXPECT_EQ(sent.method, "POST");
  EXPECT_EQ(sent.url, "https://id.example.org/token");
  EXPECT_EQ(sent.body, "grant_type=client_credentials&scope=orders%3Awrite");
  const router::HttpHeaders expected{
      {"accept", "application/json"},
      {"content-type", "application/x-www-form-urlencoded"},
      {"authorization", "Basic d3JpdCUyMGJvdDpzM2NyM3QlM0ElMkYlMkI="}};
  EXPECT_EQ(sent.headers, expected);
  EXPECT_TRUE(sent.public_only);
}

TEST_F(ClientCredentialsTest, TheSecretMayTravelInTheForm) {
  ClientCredentialsOptions options = Options();
  options.auth = ClientCredentialsOptions::Auth::kForm;
  options.audience = "https://orders.example.org";
  Use(options);
  Answer(R"({"access_token":"t1"})");
  EXPECT_EQ(Token(), "t1");
  EXPECT_EQ(http_.sent()[0].body,
            "grant_type=client_credentials&scope=orders%3Awrite&"
            "audience=https%3A%2F%2Forders.example.org&client_id=writ%20bot&"
            "client_secret=s3cr3t%3A%2F%2B");
  EXPECT_EQ(http_.sent()[0].headers.size(), 2U);
}

TEST_F(ClientCredentialsTest, ATokenIsKeptUntilShortlyBeforeItsEnd) {
  Answer(R"({"access_token":"t1","expires_in":3600})");
  EXPECT_EQ(Token(), "t1");
  clock_.Advance(3539s);
  EXPECT_EQ(Token(), "t1");
  EXPECT_EQ(http_.sent().size(), 1U);
  clock_.Advance(1s);
  Answer(R"({"access_token":"t2","expires_in":"10"})");
  EXPECT_EQ(Token(), "t2");
  clock_.Advance(8s);
  Answer(R"({"access_token":"t3","expires_in":-1})");
  EXPECT_EQ(Token(), "t3");
  Answer(R"({"access_token":"t4"})");
  EXPECT_EQ(Token(), "t4");
  clock_.Advance(239s);
  EXPECT_EQ(Token(), "t4");
}

TEST_F(ClientCredentialsTest, OneRequestServesAllWhoWait) {
  http_.Answer([](const router::HttpRequest&) { return std::nullopt; });
  Get();
  Get();
  Get();
  http_.Run();
  EXPECT_EQ(http_.sent().size(), 1U);
  EXPECT_TRUE(came_.empty());
  http_.Finish(HttpReply(200, R"({"access_token":"t1","expires_in":60})"));
  EXPECT_EQ(came_, (std::vector<std::string>{"t1", "t1", "t1"}));
  EXPECT_TRUE(http_.timers().empty());
}

TEST_F(ClientCredentialsTest, WhoeverWaitsTooLongOrIsStoppedGetsNoneAndTheOthersGoOn) {
  http_.Answer([](const router::HttpRequest&) { return std::nullopt; });
  std::stop_source stop;
  Get(1s);
  Get(5s, stop.get_token());
  Get(5s);
  http_.Advance(1s);
  EXPECT_EQ(came_, std::vector<std::string>{"none: no access token came in time"});
  stop.request_stop();
  http_.Run();
  EXPECT_EQ(came_.back(), "none: stopped before an access token came");
  http_.Finish(HttpReply(200, R"({"access_token":"t1"})"));
  EXPECT_EQ(came_.back(), "t1");
  EXPECT_EQ(came_.size(), 3U);
}

TEST_F(ClientCredentialsTest, ATokenThatWasRefusedIsNotGivenOutAgain) {
  Answer(R"({"access_token":"t1","expires_in":3600})");
  EXPECT_EQ(Token(), "t1");
  tokens_->Discard("t0");  // an older one's refusal comes late
  EXPECT_EQ(Token(), "t1");
  tokens_->Discard("t1");
  Answer(R"({"access_token":"t2","expires_in":3600})");
  EXPECT_EQ(Token(), "t2");
}

TEST_F(ClientCredentialsTest, AFailureSaysWhyAndNothingOfTheServersOwn) {
  Answer(R"({"error":"invalid_client","error_description":"s3cr3t"})", 401);
  EXPECT_EQ(Token(), "none: no access token: HTTP status 401, invalid_client");
  Answer(R"({"error":"s3cr3t in a made-up code"})", 400);
  EXPECT_EQ(Token(), "none: no access token: HTTP status 400");
  Answer("<html>", 503);
  EXPECT_EQ(Token(), "none: no access token: HTTP status 503");
  http_.Queue(HttpReply(302, "", {{"location", "https://evil.example.org"}}));
  EXPECT_EQ(Token(), "none: no access token: HTTP status 302");
  for (const char* body : {"", "[]", "<html>"}) {
    Answer(body);
    EXPECT_EQ(Token(), "none: no access token: its answer is no JSON object");
  }
  for (const char* body : {"{}", R"({"access_token":""})", R"({"access_token":"a\r\nx: y"})",
                           R"({"access_token":1})"}) {
    Answer(body);
    EXPECT_EQ(Token(), "none: no access token: its answer has no access token");
  }
  Answer(R"({"access_token":"t","token_type":"mac"})");
  EXPECT_EQ(Token(), "none: no access token: its token is no bearer token");
  http_.Queue(HttpFails(HttpFailure::Kind::kNotSent));
  EXPECT_EQ(Token(), "none: no access token: it could not be reached");
  Answer(R"({"access_token":"t1"})");
  EXPECT_EQ(Token(), "t1") << "a failure is not kept";
}

}  // namespace
}  // namespace writ::connectors
