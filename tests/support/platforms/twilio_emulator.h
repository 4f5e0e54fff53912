#pragma once

#include <condition_variable>
#include <ctime>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bot/http/server.h"
#include "connectors/http/form.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"
#include "tests/support/stage/api_client.h"

namespace writ::tests {

// Twilio on loopback: its Messages API with the rules that it holds senders to, and its deliveries,
// signed as Twilio signs them. It takes the carriers' words for itself, as Twilio does. Shared by
// all threads. source: the platforms' page, section 3
class TwilioEmulator {
 public:
  struct Sms {
    std::string number;  // whom it went to
    std::string text;
    std::string sid = {};
    std::time_t taken_at = 0;
  };
  struct Fault {
    int status = 500;
    int code = 0;
    std::string retry_after = {};
    bool happens_all_the_same = false;  // it is sent, and the answer does not say so
  };
  static constexpr const char* kAccount = "AC00000000000000000000000000000001";
  static constexpr const char* kToken = "twilio-auth-token-for-tests";
  static constexpr const char* kNumber = "+12025550100";
  static constexpr const char* kPublicUrl = "https://bot.example.org";
  static constexpr const char* kPath = "/v1/hooks/acme";

  TwilioEmulator();
  ~TwilioEmulator();
  TwilioEmulator(const TwilioEmulator&) = delete;
  TwilioEmulator& operator=(const TwilioEmulator&) = delete;

  [[nodiscard]] router::Json PlatformConfig() const;
  void SetHook(int port);  // the program listens there, behind kPublicUrl

  // Somebody writes, and Twilio tells of it, one after the other; the message's sid.
  std::string Write(const std::string& number, const std::string& text, bool tells = true,
                    const connectors::FormFields& more = {});
  [[nodiscard]] std::string BodyOf(const std::string& sid) const;  // the delivery's form
  // A delivery, and what it was answered.
  ApiReply Deliver(const std::string& body) const;
  ApiReply DeliverSigned(const std::string& body, const std::string& signature) const;
  [[nodiscard]] static std::string SignatureOf(const std::string& body);
  void WaitUntilTold() const;

  [[nodiscard]] std::vector<Sms> SentTo(const std::string& number) const;
  [[nodiscard]] std::vector<connectors::FormFields> Calls() const;  // that were taken
  // What it was asked for of what it took, and what it answered.
  [[nodiscard]] std::vector<std::pair<connectors::FormFields, std::string>> Looks() const;
  [[nodiscard]] int Refusals() const;                      // messages to numbers that want none
  [[nodiscard]] std::vector<std::string> Answers() const;  // to deliveries: status and body

  // The next `times` messages to that number meet it.
  void Order(const std::string& number, const Fault& fault, int times);
  void OrderLooks(int times);  // questions for what it took are answered 503
  void Clear();
  void PassMinute();  // whatever was sent was sent a minute earlier

 private:
  [[nodiscard]] bot::Response Answer(const bot::Request& request);
  [[nodiscard]] bot::Response Take(const connectors::FormFields& fields);
  [[nodiscard]] bot::Response List(const connectors::FormFields& fields);
  void TellAll(const std::stop_token& stop);

  mutable std::mutex mutex_;  // guards all below but the server and the thread
  mutable std::condition_variable_any changed_;
  std::vector<Sms> sent_;
  std::vector<connectors::FormFields> calls_;
  std::vector<std::pair<connectors::FormFields, std::string>> looks_;
  std::vector<std::pair<std::string, std::string>> bodies_;  // by sid
  std::vector<std::string> answers_;
  std::set<std::string> opted_out_;
  std::deque<std::string> to_tell_;
  bool is_telling_ = false;
  std::string faulty_number_;
  Fault fault_;
  int faults_left_ = 0;
  int look_faults_left_ = 0;
  int refusals_ = 0;
  int hook_port_ = 0;
  int last_sid_ = 0;

  RecordingLog log_;
  std::unique_ptr<bot::Server> server_;
  std::jthread teller_;
};

}  // namespace writ::tests
