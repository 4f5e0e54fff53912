#pragma once

#include <optional>
#include <string>

#include "router/chat/phone_ledger.h"
#include "store/records.h"

namespace writ::store {

// The phones' ledger over any engine: counters say who wants none and who guessed, and a message
// that was done with is an event that is over.
class PhonesOver final : public router::PhoneLedger {
 public:
  explicit PhonesOver(Engine& engine) : engine_(engine) {}

  void Wish(const router::AppId& app, const router::UserId& person, bool wants_none,
            const std::string& message, router::TimePoint now) override;
  bool WantsNone(const router::AppId& app, const router::UserId& person) override;
  std::optional<std::size_t> TakeGuess(const router::AppId& app, const router::UserId& person,
                                       router::TimePoint now) override;
  void GiveGuessBack(const router::AppId& app, const router::UserId& person,
                     std::size_t guess) override;
  bool IsFirst(const router::AppId& app, const std::string& message,
               router::TimePoint now) override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
