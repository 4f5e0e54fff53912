#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/platforms/platform_stage.h"
#include "tests/support/platforms/slack_emulator.h"

namespace writ::tests {

// Slack: a thread in the channel C0CALLOUTS, which Ben began before the program ran.
class SlackStage final : public PlatformStage {
 public:
  static constexpr const char* kChannel = "C0CALLOUTS";

  SlackStage();

  void Configure(router::Json& app) const override;
  void Listens(int port) override;
  [[nodiscard]] std::string UserOf(const std::string& person) const override;
  [[nodiscard]] std::string CidOf(const std::string& person) const override;
  std::string Say(const std::string& person, const std::string& text, bool tells) override;
  ApiReply TellAgain(const std::string& message) override;
  void Edit(const std::string& person, const std::string& message,
            const std::string& text) override;
  void Delete(const std::string& person, const std::string& message) override;
  void Leave(const std::string& person) override;
  [[nodiscard]] std::vector<std::string> BotTexts(const std::string& person) const override;
  [[nodiscard]] bool IsAsked(const std::string& person, const router::Json& approval) override;
  void Answer(const std::string& person, const router::Json& approval, bool allowed) override;
  [[nodiscard]] std::size_t ToldPrivately(const std::string& person) const override;
  void TroublePosts(Trouble trouble, int times) override;
  void TroubleMembers(Trouble trouble) override;
  void Calm() override;

  [[nodiscard]] SlackEmulator& slack() { return slack_; }
  [[nodiscard]] const std::string& thread() const { return thread_; }
  // Slack's id of a person.
  [[nodiscard]] static std::string IdOf(const std::string& person);
  // The message with the ask's buttons as it stands now; null where there is none.
  [[nodiscard]] router::Json MessageOf(const router::Json& approval) const;

 private:
  SlackEmulator slack_;
  std::string thread_;
  // By approval, its message as it stood when it asked last: a screen may be behind.
  std::map<std::string, router::Json> seen_;
};

// All that people read of a message: its blocks' words, or its text where it has none.
[[nodiscard]] std::string WordsOf(const router::Json& message);
// The action ids of its buttons for the call.
[[nodiscard]] std::vector<std::string> ButtonsOf(const router::Json& message,
                                                 const router::Json& approval);

}  // namespace writ::tests
