#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bot/http/server.h"
#include "connectors/http/form.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"
#include "tests/support/stage/api_client.h"

namespace writ::tests {

// Slack on loopback: its Web API with the rules and limits that it holds apps to, and its
// deliveries, signed as Slack signs them. The workspace is `T0WRIT001`, the bot `U0WRITBOT`. Shared
// by all threads. source: the platforms' page, section 2
class SlackEmulator {
 public:
  struct User {
    std::string id;
    std::string team = "T0WRIT001";
    std::string enterprise = {};  // whose Grid the team is on
    bool deleted = false;
  };
  struct Whisper {  // an ephemeral message
    std::string user;
    std::string text;
  };
  struct Called {
    std::string method;
    connectors::FormFields fields;
  };
  struct Fault {
    int status = 200;
    std::string error = {};  // with 200: `ok: false`
    std::string retry_after = {};
    bool happens_all_the_same = false;  // it is done, and the answer does not say so
    bool hangs = false;                 // no answer until Release() or the end
  };
  static constexpr const char* kTeam = "T0WRIT001";
  static constexpr const char* kBot = "U0WRITBOT";
  static constexpr const char* kSecret = "slack-signing-secret-for-tests";
  static constexpr const char* kToken = "xoxb-for-tests";

  SlackEmulator();
  ~SlackEmulator();
  SlackEmulator(const SlackEmulator&) = delete;
  SlackEmulator& operator=(const SlackEmulator&) = delete;

  [[nodiscard]] router::Json PlatformConfig() const;
  // Where deliveries go: `/v1/hooks/…` of the program at that port.
  void SetHook(int port, std::string path);
  void SetEnterprise(const std::string& enterprise);  // the workspace's Grid

  void AddUser(const User& user);
  void AddChannel(const std::string& channel, const std::set<std::string>& members);
  void Leave(const std::string& channel, const std::string& user);

  // Somebody writes, and Slack tells of it; the message's `ts`. `more` adds fields.
  std::string Write(const std::string& user, const std::string& channel, const std::string& text,
                    const std::string& thread = "",
                    const router::Json& more = router::Json::MakeObject(), bool tells = true);
  void EditMessage(const std::string& editor, const std::string& channel, const std::string& ts,
                   const std::string& text);
  void DeleteMessage(const std::string& channel, const std::string& ts);
  // An event in its envelope, as a body.
  [[nodiscard]] std::string Envelope(const router::Json& event) const;
  // What Write() would tell of the message.
  [[nodiscard]] router::Json MessageEvent(const std::string& channel, const std::string& ts) const;

  // A delivery, and what it was answered. `age_s` makes its time stamp older.
  ApiReply Deliver(const std::string& body, const std::string& type = "application/json",
                   int age_s = 0) const;
  [[nodiscard]] static ApiHeaders Signed(const std::string& body, const std::string& type,
                                         int age_s = 0);

  // A button of that `action_id` in the message, whose value holds `value`; the form that a press
  // on it sends.
  [[nodiscard]] std::string PressBody(const std::string& user, const router::Json& message,
                                      const std::string& action,
                                      const std::string& value = "") const;
  ApiReply Press(const std::string& user, const router::Json& message, const std::string& action,
                 const std::string& value = "");
  // A form that was opened, sent with that text.
  [[nodiscard]] std::string SubmitBody(const std::string& user, const router::Json& view,
                                       const std::string& text) const;
  ApiReply Submit(const std::string& user, const router::Json& view, const std::string& text);

  [[nodiscard]] std::vector<router::Json> Messages(const std::string& channel) const;
  [[nodiscard]] std::vector<router::Json> BotMessages(const std::string& channel) const;
  [[nodiscard]] std::vector<Whisper> Whispers() const;
  [[nodiscard]] std::vector<router::Json> Forms() const;  // that were opened
  [[nodiscard]] std::vector<Called> Calls(const std::string& method = "") const;
  // Every delivery that was answered otherwise than with 200.
  [[nodiscard]] std::vector<int> Refusals() const;
  // Waits until every delivery was made.
  void WaitUntilTold() const;

  void Order(const std::string& method, const Fault& fault, int times = 1000);
  void Clear();
  void Release();

 private:
  struct Channel {
    std::set<std::string> members;
    std::vector<router::Json> messages;
  };
  struct Ordered {
    Fault fault;
    int times;
  };

  [[nodiscard]] bot::Response Answer(const bot::Request& request);
  [[nodiscard]] router::Json Run(const std::string& method, const connectors::FormFields& fields);
  [[nodiscard]] router::Json PostMessage(const connectors::FormFields& fields);
  [[nodiscard]] router::Json UpdateMessage(const connectors::FormFields& fields);
  [[nodiscard]] router::Json PostEphemeral(const connectors::FormFields& fields);
  [[nodiscard]] router::Json ReadMessages(const connectors::FormFields& fields, bool replies);
  [[nodiscard]] router::Json ReadMembers(const connectors::FormFields& fields);
  [[nodiscard]] router::Json ReadUser(const connectors::FormFields& fields);
  [[nodiscard]] router::Json OpenView(const connectors::FormFields& fields);
  [[nodiscard]] router::Json* FindMessage(const std::string& channel, const std::string& ts);
  [[nodiscard]] router::Json PresserOf(const std::string& user) const;
  [[nodiscard]] std::string NextTs();
  void Tell(const router::Json& event);
  void TellAll(const std::stop_token& stop);

  mutable std::mutex mutex_;  // guards all below but the server and the thread
  mutable std::condition_variable_any changed_;
  std::map<std::string, User> users_;
  std::map<std::string, Channel> channels_;
  std::string enterprise_;
  std::vector<Whisper> whispers_;
  std::vector<router::Json> forms_;
  std::vector<Called> calls_;
  std::vector<int> refusals_;
  std::map<std::string, Ordered> faults_;
  std::set<std::string> triggers_;  // that were used
  std::deque<std::string> to_tell_;
  bool is_telling_ = false;
  bool released_ = false;
  int hook_port_ = 0;
  std::string hook_path_;
  std::int64_t last_ts_ = 0;  // microseconds
  mutable int events_ = 0;

  RecordingLog log_;
  std::unique_ptr<bot::Server> server_;
  std::jthread teller_;
};

// Why Slack would refuse a message or a form; empty: it takes it.
[[nodiscard]] std::string SlackFaultOf(const std::string& text, const router::Json& blocks);
[[nodiscard]] std::string SlackFaultOfView(const router::Json& view);

}  // namespace writ::tests
