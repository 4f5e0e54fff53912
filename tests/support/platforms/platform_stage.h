#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "router/base/json.h"
#include "tests/support/stage/world.h"

namespace writ::tests {

// One chat platform as people have it, for tests that hold on each of them alike: Anya, Ben and
// Cleo
// (`anya`, `ben`, `cleo`) with the means that they have there. Anya and Ben are in one conversation
// where the platform has that; Cleo is in none of theirs.
class PlatformStage {
 public:
  struct Traits {
    bool is_shared = true;    // Ben reads Anya's conversation, and writes in it
    bool has_changes = true;  // messages can be edited and deleted
    bool has_history = true;  // what was said can be read back
    bool has_members = true;  // people can leave, and whether they did can be asked
  };
  virtual ~PlatformStage() = default;

  [[nodiscard]] virtual Traits traits() const { return {}; }
  // The app `acme` of the configuration, made to be on the platform; its one agent too.
  virtual void Configure(router::Json& app) const = 0;
  // The world that it belongs to, before the program starts.
  virtual void Attach(World& /*world*/) {}
  // The program listens there.
  virtual void Listens(int port) = 0;

  // The API's name of a person, and of the conversation that they write in.
  [[nodiscard]] virtual std::string UserOf(const std::string& person) const = 0;
  [[nodiscard]] virtual std::string CidOf(const std::string& person) const = 0;

  // Somebody writes; the message's name. Not told to the program while `tells` is false, as when no
  // node ran.
  virtual std::string Say(const std::string& person, const std::string& text,
                          bool tells = true) = 0;
  // The same message's delivery once more, as another one.
  virtual ApiReply TellAgain(const std::string& message) = 0;
  virtual void Edit(const std::string& /*person*/, const std::string& /*message*/,
                    const std::string& /*text*/) {}
  virtual void Delete(const std::string& /*person*/, const std::string& /*message*/) {}
  virtual void Leave(const std::string& /*person*/) {}

  // What stands there of the agent's, as people read it, oldest first.
  [[nodiscard]] virtual std::vector<std::string> BotTexts(const std::string& person) const = 0;
  // Whether the ask stands there with a way to answer it.
  [[nodiscard]] virtual bool IsAsked(const std::string& person, const router::Json& approval) = 0;
  // The person answers it with the platform's own means; returns when the platform got its answer.
  virtual void Answer(const std::string& person, const router::Json& approval, bool allowed) = 0;
  // How often the person alone was told something about an answer of theirs.
  [[nodiscard]] virtual std::size_t ToldPrivately(const std::string& person) const = 0;

  enum class Trouble {
    kRateLimited,  // 429 with a Retry-After
    kError,        // 500
    kLostAnswer,   // it was done, and the answer says 500
  };
  // The next `times` posts meet it; each question about a membership until Calm().
  virtual void TroublePosts(Trouble trouble, int times) = 0;
  virtual void TroubleMembers(Trouble /*trouble*/) {}
  virtual void Calm() = 0;
};

struct StageMaker {
  std::string name;
  std::function<std::unique_ptr<PlatformStage>()> make;
};

}  // namespace writ::tests
