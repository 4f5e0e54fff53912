#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::router {

// How often a phone may guess a code: so often within any hour.
inline constexpr std::size_t kGuesses = 5;
inline constexpr std::chrono::hours kGuessCounts{1};

// The port to what is kept of phones, for all nodes alike: who wants no messages, who guessed
// codes, and which messages were done with. Shared by all threads; each method is one commit.
//
// throws  Failure{kTransient} where the store could not be reached
class PhoneLedger {
 public:
  virtual ~PhoneLedger() = default;

  // That the person's message, which has that name in all its deliveries, says that they want none,
  // or want them again. One that comes again says nothing new.
  virtual void Wish(const AppId& app, const UserId& person, bool wants_none,
                    const std::string& message, TimePoint now) = 0;
  [[nodiscard]] virtual bool WantsNone(const AppId& app, const UserId& person) = 0;

  // One of the person's guesses, before it is looked at: many that come at once are counted, too.
  // nullopt: none is left.
  [[nodiscard]] virtual std::optional<std::size_t> TakeGuess(const AppId& app, const UserId& person,
                                                             TimePoint now) = 0;
  virtual void GiveGuessBack(const AppId& app, const UserId& person, std::size_t guess) = 0;

  // False for a message that was there already, on whatever node.
  [[nodiscard]] virtual bool IsFirst(const AppId& app, const std::string& message,
                                     TimePoint now) = 0;
};

}  // namespace writ::router
