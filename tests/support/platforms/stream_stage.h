#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/platforms/platform_stage.h"

namespace writ::tests {

// Stream: the channel `callouts:team-1` of the world's embedded chat. People answer through the API
// with their own tokens, as Stream's kits do.
class StreamStage final : public PlatformStage {
 public:
  void Configure(router::Json& /*app*/) const override {}  // as the world has it
  void Attach(World& world) override { world_ = &world; }
  void Listens(int /*port*/) override {}
  [[nodiscard]] std::string UserOf(const std::string& person) const override;
  [[nodiscard]] std::string CidOf(const std::string& /*person*/) const override { return kTeam; }
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

 private:
  [[nodiscard]] std::string HookUrl() const;
  void WaitUntilTold() const;

  World* world_ = nullptr;
  std::map<std::string, std::size_t> refused_;  // answers that were: only their sender sees that
};

}  // namespace writ::tests
