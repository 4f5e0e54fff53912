#include "router/flow/standing_consents.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "router/base/failure.h"
#include "router/flow/log_about.h"

namespace writ::router {
namespace {

constexpr std::chrono::milliseconds kLongestQuestion{2800};

// The binding of now goes before what it allowed when the consent was given.
bool Allows(const Binding& binding, const Consent& consent, TimePoint now) {
  if (binding.approver != Approver::kWriter) return false;
  if (now >= consent.created_at + binding.remember_max) return false;
  return consent.match.empty() || consent.match == binding.remember_match;
}

bool MayBeRemembered(const GatedCall& gated, const BoundConnector* bound) {
  return gated.verdict == GatedCall::Verdict::kHeld && !gated.approval.asked.empty() &&
         bound != nullptr && bound->binding.remember_max > Duration{0};
}

Stopped Blocked(const char* reason) { return {"blocked", reason}; }

}  // namespace

const Consent* FindCovering(const std::vector<Consent>& standing, const Binding& binding,
                            const Turn& turn, const Call& call, const UserId& asked,
                            TimePoint now) {
  const auto found = std::ranges::find_if(standing, [&](const Consent& consent) {
    return Allows(binding, consent, now) && Covers(consent, turn, call, asked, now);
  });
  return found == standing.end() ? nullptr : &*found;
}

void StandingConsents::Find(const AppSetup& app, const AgentSetup& agent, const Turn& turn,
                            std::vector<GatedCall> calls, const Done& done) const {
  const TimePoint now = ports_.clock.Now();
  UserId asked;
  try {
    std::optional<std::vector<Consent>> standing;
    for (GatedCall& gated : calls) {
      const BoundConnector* bound = FindConnector(agent, gated.call.connector);
      if (turn.cid.empty() || !MayBeRemembered(gated, bound)) continue;
      if (!standing) {
        asked = gated.approval.asked;  // all calls of a turn are asked of one person
        standing = ports_.consents.Standing(turn.app, turn.cid, asked, now);
      }
      if (const Consent* found = FindCovering(*standing, bound->binding, turn, gated.call,
                                              gated.approval.asked, now)) {
        gated.consent = *found;
      }
    }
  } catch (const Failure& failure) {  // then people are asked
    LogAbout(ports_.log, turn).Warn("consent.not_found", {{"why", failure.what()}});
    for (GatedCall& gated : calls) gated.consent.reset();
  }
  const auto relies = [](const GatedCall& gated) { return gated.consent.has_value(); };
  if (std::ranges::none_of(calls, relies)) {
    done(std::move(calls));
    return;
  }
  app.members->Ask(turn.cid, asked, kLongestQuestion,
                   [this, calls = std::move(calls), done](const Membership& membership) {
                     ports_.jobs.Run([this, calls, done, membership]() mutable {
                       for (GatedCall& gated : calls) {
                         if (!gated.consent) continue;
                         if (WorthNow(membership, *gated.consent) != Worth::kStands) {
                           gated.consent.reset();
                         }
                       }
                       done(std::move(calls));
                     });
                   });
}

void StandingConsents::FindWhatStops(const AppSetup& app, const Binding& binding, const Turn& turn,
                                     const Call& call, const Checked& done) const {
  if (!IsByConsent(call)) {
    done(std::nullopt);
    return;
  }
  const Decision& decision = *call.approval->decision;
  const TimePoint now = ports_.clock.Now();
  const std::vector<Consent> standing =
      ports_.consents.Standing(turn.app, turn.cid, decision.consent_user, now);
  const auto consent = std::ranges::find(standing, decision.consent, &Consent::id);
  if (consent == standing.end()) {
    done(Blocked("the consent that released it has ended"));
    return;
  }
  if (!Allows(binding, *consent, now) || !Covers(*consent, turn, call, consent->user, now)) {
    done(Blocked("a standing consent is not enough for it any more"));
    return;
  }
  app.members->Ask(turn.cid, consent->user, kLongestQuestion,
                   [this, consent = *consent, done](const Membership& membership) {
                     ports_.jobs.Run([this, consent, done, membership] {
                       switch (WorthNow(membership, consent)) {
                         case Worth::kStands:
                           done(std::nullopt);
                           return;
                         case Worth::kEnded:
                           done(Blocked("who consented to it has left the channel since"));
                           return;
                         case Worth::kUnknown:
                           done(Stopped{"failed",
                                        "whether who consented to it is in the channel "
                                        "still could not be seen"});
                           return;
                       }
                     });
                   });
}

StandingConsents::Worth StandingConsents::WorthNow(const Membership& membership,
                                                   const Consent& consent) const {
  const auto gave_it_before = [&](const std::optional<TimePoint>& time) {
    return time && consent.created_at < *time;
  };
  switch (membership.answer) {
    case Membership::Answer::kNotMember:
      End(consent, "its person left the channel");
      return Worth::kEnded;
    case Membership::Answer::kUnknown:
      return Worth::kUnknown;
    case Membership::Answer::kMember:
      break;
  }
  if (gave_it_before(membership.member_since)) {
    End(consent, "its person had left the channel");
    return Worth::kEnded;
  }
  if (gave_it_before(membership.tokens_valid_from)) {
    End(consent, "the token it was given with may be one that was revoked");
    return Worth::kEnded;
  }
  // A platform that can't tell since when can't say that they never left.
  return membership.member_since ? Worth::kStands : Worth::kUnknown;
}

void StandingConsents::End(const Consent& consent, const char* why) const {
  LogAbout log(ports_.log, LineIds{.app = consent.app.text(), .cid = consent.cid.text()});
  try {
    if (ports_.consents.End(consent.app, consent.cid, consent.id, consent.user,
                            {"policy", "policy", ports_.clock.Now()})) {
      log.Info("consent.ended", {{"consent_id", consent.id.text()}, {"why", why}});
    }
  } catch (const Failure& failure) {  // its next use ends it
    log.Warn("consent.not_ended", {{"consent_id", consent.id.text()}, {"why", failure.what()}});
  }
}

}  // namespace writ::router
