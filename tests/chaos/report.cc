#include "tests/chaos/report.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace writ::chaos {

using router::Json;

namespace {

std::string Seconds(Moment moment) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << static_cast<double>(moment.count()) / 1000.0
       << " s";
  return text.str();
}

Moment At(const std::vector<Moment>& sorted, double share) {
  if (sorted.empty()) return Moment(0);
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(last * share)];
}

std::size_t Sum(const std::map<FaultKind, std::size_t>& faults) {
  return std::accumulate(faults.begin(), faults.end(), std::size_t{0},
                         [](std::size_t sum, const auto& kind) { return sum + kind.second; });
}

// What was counted, each with its words.
std::vector<std::pair<std::string, std::size_t>> CountsOf(const RunResult& result) {
  const Evidence& evidence = result.evidence;
  const auto said = [&](const auto& holds) {
    return static_cast<std::size_t>(std::ranges::count_if(evidence.said, holds));
  };
  const auto commands = [&](const char* state) {
    return static_cast<std::size_t>(std::ranges::count_if(
        evidence.commands, [&](const Command& command) { return command.state == state; }));
  };
  const auto outcomes = [&](const char* outcome) {
    std::size_t count = 0;
    for (const Command& command : evidence.commands) {
      count += static_cast<std::size_t>(std::ranges::count_if(
          command.steps, [&](const Step& step) { return step.outcome == outcome; }));
    }
    return count;
  };
  const auto approvals = [&](const char* status) {
    return static_cast<std::size_t>(std::ranges::count_if(
        evidence.approvals, [&](const Approval& approval) { return approval.status == status; }));
  };
  return {
      {"messages written", evidence.said.size()},
      {"messages acknowledged", said([](const Said& one) { return one.acknowledged.has_value(); })},
      {"channels", result.channels},
      {"deliveries of webhooks", result.deliveries},
      {"turns completed", commands("completed")},
      {"turns failed, and said so", commands("failed")},
      {"requests to the model", evidence.asked.size()},
      {"calls executed, by the connector's own log", evidence.executions.size()},
      {"calls done", outcomes("done")},
      {"calls failed", outcomes("failed")},
      {"calls with an unknown outcome", outcomes("outcome_unknown")},
      {"calls held", evidence.approvals.size()},
      {"held calls allowed", approvals("approved")},
      {"held calls declined", approvals("denied")},
      {"held calls expired", approvals("expired")},
      {"held calls cancelled", approvals("cancelled")},
      {"answers sent", evidence.answers.size()},
      {"entries of the audit log", evidence.audit.size()},
      {"looks into the store", result.looks},
      {"claims seen", evidence.claims.size()}};
}

constexpr std::array<std::string_view, 10> kRules = {
    kAnsweredOnce,   kShownAsItIs, kExecutedOnce, kRightPerson, kFirstAnswerHolds,
    kNoHeldCallLost, kOrderKept,   kOneHolder,    kOneLease,    kNothingLeft};

std::size_t CountOf(const std::vector<Finding>& findings, std::string_view rule) {
  return static_cast<std::size_t>(std::ranges::count_if(
      findings, [&](const Finding& finding) { return finding.rule == rule; }));
}

void WriteFaults(const RunResult& result, std::ostream& text) {
  text << "| fault | times | ready again: median, longest |\n| --- | --- | --- |\n";
  for (const auto& [kind, count] : result.faults) {
    text << "| " << NameOf(kind) << " | " << count << " | ";
    if (const auto found = result.recoveries.find(kind); found != result.recoveries.end()) {
      std::vector<Moment> sorted = found->second;
      std::ranges::sort(sorted);
      text << Seconds(At(sorted, 0.5)) << ", " << Seconds(At(sorted, 1));
    }
    text << " |\n";
  }
}

}  // namespace

std::string TextOf(const RunOptions& options, const RunResult& result) {
  std::ostringstream text;
  text << "## " << options.store << ", seed " << options.schedule.seed << "\n\n"
       << Seconds(options.schedule.length) << " of " << Sum(result.faults)
       << " faults, at rest after " << Seconds(result.lasted) << "; "
       << (result.findings.empty() ? "nothing was found."
                                   : std::to_string(result.findings.size()) + " findings.")
       << "\n\n";
  WriteFaults(result, text);
  text << "\n| what people did about held calls | messages |\n| --- | --- |\n";
  for (const auto& [consent, count] : result.consents) {
    text << "| " << NameOf(consent) << " | " << count << " |\n";
  }
  text << "\n| counted | |\n| --- | --- |\n";
  for (const auto& [what, count] : CountsOf(result))
    text << "| " << what << " | " << count << " |\n";
  const std::vector<Moment>& answered = result.answered_after;
  text << "\nFrom a message's acknowledgment to its answer, where nobody was asked ("
       << answered.size() << "): median " << Seconds(At(answered, 0.5)) << ", 95 % "
       << Seconds(At(answered, 0.95)) << ", longest " << Seconds(At(answered, 1)) << ".\n"
       << "\n| rule | findings |\n| --- | --- |\n";
  for (const std::string_view rule : kRules) {
    // Nobody else may look into a store that is one node's while that runs.
    const bool unseen = result.looks == 0 && (rule == kOneHolder || rule == kOneLease);
    text << "| " << rule << " | "
         << (unseen ? "not looked at" : std::to_string(CountOf(result.findings, rule))) << " |\n";
  }
  for (const Finding& finding : result.findings) {
    text << "\n- " << finding.rule << ": " << finding.subject << ": " << finding.what;
  }
  text << "\n";
  return text.str();
}

Json JsonOf(const RunOptions& options, const RunResult& result) {
  Json faults = Json::MakeObject();
  for (const auto& [kind, count] : result.faults) {
    faults.Set(NameOf(kind), static_cast<std::int64_t>(count));
  }
  Json recoveries = Json::MakeObject();
  for (const auto& [kind, moments] : result.recoveries) {
    Json all = Json::MakeArray();
    for (const Moment moment : moments) all.Push(std::int64_t{moment.count()});
    recoveries.Set(NameOf(kind), std::move(all));
  }
  Json counts = Json::MakeObject();
  for (const auto& [what, count] : CountsOf(result)) {
    counts.Set(what, static_cast<std::int64_t>(count));
  }
  Json findings = Json::MakeArray();
  for (const Finding& finding : result.findings) {
    findings.Push(Json::MakeObject(
        {{"rule", finding.rule}, {"subject", finding.subject}, {"what", finding.what}}));
  }
  return Json::MakeObject({{"store", options.store},
                           {"seed", std::to_string(options.schedule.seed)},
                           {"length_ms", std::int64_t{options.schedule.length.count()}},
                           {"lasted_ms", std::int64_t{result.lasted.count()}},
                           {"faults", std::move(faults)},
                           {"recoveries_ms", std::move(recoveries)},
                           {"counts", std::move(counts)},
                           {"findings", std::move(findings)}});
}

}  // namespace writ::chaos
