#pragma once

#include <string>
#include <vector>

#include "tests/support/platforms/platform_stage.h"
#include "tests/support/platforms/twilio_emulator.h"

namespace writ::tests {

// SMS: each person has a number, and writes to Writ's alone. People answer with the code that they
// were sent.
class SmsStage final : public PlatformStage {
 public:
  [[nodiscard]] Traits traits() const override { return {false, false, false, false}; }
  void Configure(router::Json& app) const override;
  void Listens(int port) override { twilio_.SetHook(port); }
  [[nodiscard]] std::string UserOf(const std::string& person) const override;
  [[nodiscard]] std::string CidOf(const std::string& person) const override;
  std::string Say(const std::string& person, const std::string& text, bool tells) override;
  ApiReply TellAgain(const std::string& message) override;
  // What was answered to each message of theirs: the texts that ask belong to the outcome's.
  [[nodiscard]] std::vector<std::string> BotTexts(const std::string& person) const override;
  [[nodiscard]] bool IsAsked(const std::string& person, const router::Json& approval) override;
  void Answer(const std::string& person, const router::Json& approval, bool allowed) override;
  [[nodiscard]] std::size_t ToldPrivately(const std::string& person) const override;
  void TroublePosts(Trouble trouble, int times) override;
  void Calm() override { twilio_.Clear(); }
  void Attach(World& world) override { world_ = &world; }

  [[nodiscard]] TwilioEmulator& twilio() { return twilio_; }
  [[nodiscard]] static std::string NumberOf(const std::string& person);
  // The code that the person was sent for the call; empty: none.
  [[nodiscard]] std::string CodeOf(const router::Json& approval) const;

 private:
  TwilioEmulator twilio_;
  World* world_ = nullptr;
};

}  // namespace writ::tests
