#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/json.h"
#include "router/base/time.h"
#include "router/tool/connector.h"
#include "router/turn/consent.h"
#include "router/turn/happening.h"
#include "router/turn/turn.h"

namespace writ::router {

// The entries that one step leaves in the log, in order, without their numbers: of each ask, each
// decision and its edit, each use, what came of a call that was allowed, each end without an
// answer, and each call that the rules refused. `told` are the step's happenings.
[[nodiscard]] std::vector<Json> AuditEntriesOf(const std::vector<Happening>& told,
                                               const Turn& before, const Turn& after,
                                               TimePoint now);

// A report that came when its claim was another's already: it changed nothing.
[[nodiscard]] Json LateReportEntry(const Turn& turn, const Call& call, const CallReport& report,
                                   TimePoint now);

// A standing consent that was given with the answer `decision`, and one that was ended, `by` whom
// and how they were known as a decision has it.
[[nodiscard]] Json ConsentGivenEntry(const Consent& consent, const Decision& decision);
[[nodiscard]] Json ConsentEndedEntry(const Consent& consent, std::string_view by,
                                     std::string_view known_by, TimePoint now);

// That somebody's data was removed, `by` whom. Their id is left out where it is a phone number.
[[nodiscard]] Json ForgottenEntry(const AppId& app, const UserId& user, std::string_view by,
                                  std::string_view known_by, TimePoint now);

// The entry as it is kept and sealed: canonical JSON, with its number within the session.
[[nodiscard]] std::string AuditText(Json entry, std::int64_t number);

}  // namespace writ::router
