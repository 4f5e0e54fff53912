#pragma once

#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/texts.h"
#include "router/turn/turn.h"

namespace writ::router {

// Calls in words for people and for the model. No argument is in any of them.

// The call's name, where nothing invisible hides; what a model made up is cut.
[[nodiscard]] std::string ShownName(const Call& call);

// `Anya (user anya-1)`: the person as the turn knows them, the id where it does not.
[[nodiscard]] std::string PersonIn(const Turn& turn, const UserId& user);

// What became of it, for every member of the channel: `Declined: too early`.
[[nodiscard]] std::string OutcomeWords(const Call& call, const Texts& texts);

// `Approved earlier by Anya (user anya-1) until 2026-01-02T14:05:00Z, consent con_….`; empty where
// no consent that was given beforehand released it.
[[nodiscard]] std::string ApprovedEarlier(const Turn& turn, const Call& call, const Texts& texts);

// One line of what another turn did: `called crm__echo: done`, or
// `crm__echo waits for Anya's approval, not run` (contract section 5).
[[nodiscard]] std::string LineOf(const Turn& turn, const Call& call);

// `9 min 30 s`, never more than is left.
[[nodiscard]] std::string TimeLeft(Duration left);

}  // namespace writ::router
