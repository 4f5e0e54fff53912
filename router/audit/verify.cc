#include "router/audit/verify.h"

#include <algorithm>
#include <utility>

#include "router/audit/aside.h"
#include "router/base/digest.h"
#include "router/base/text.h"

namespace writ::router {
namespace {

std::string Named(std::int64_t seal) { return "entry " + std::to_string(seal); }

std::int64_t LastOf(const std::optional<AuditHead>& checkpoint,
                    const std::map<std::int64_t, std::string>& seals) {
  if (!seals.empty()) return seals.rbegin()->first;
  return checkpoint ? checkpoint->seal : 0;
}

}  // namespace

void AuditVerifier::Fault(const AppId& app, const std::string& what) {
  findings_.faults.push_back((line_ > 0 ? "line " + std::to_string(line_) + ": " : std::string()) +
                             (app.empty() ? std::string() : app.text() + ": ") + what);
}

void AuditVerifier::Read(std::string_view text) {
  ++line_;
  if (Trim(text).empty()) return;
  const JsonParsed parsed = ParseJson(text);
  if (!parsed.value || !parsed.value->IsObject()) {
    Fault({}, "is no JSON object");
    return;
  }
  const Json& line = *parsed.value;
  const AppId app(line.TextAt("app_id"));
  Chain& chain = chains_[app];
  if (const Json* checkpoint = line.Find("checkpoint")) {
    if (HasOnly(app, line, {"app_id", "checkpoint"}) &&
        HasOnly(app, *checkpoint, {"head", "made_at", "mac"})) {
      ReadCheckpointLine(app, chain, *checkpoint);
    }
  } else if (const Json* entry = line.Find("entry")) {
    // What else stands in a sealed entry's line is sealed by nothing.
    (void)HasOnly(app, line, {"app_id", "seal", "mac", "entry", "aside"});
    ReadEntryLine(app, chain, line, *entry);
  } else if (const auto head = ReadHead(line.TextAt("head")); head && head->app == app) {
    (void)HasOnly(app, line, {"app_id", "head"});
    chain.own_head = head;
  } else {
    Fault(app, "is neither a checkpoint, an entry nor a head");
  }
}

bool AuditVerifier::HasOnly(const AppId& app, const Json& line,
                            std::initializer_list<std::string_view> keys) {
  if (!line.IsObject()) return true;
  for (const JsonMember& member : line.object()) {
    if (std::ranges::find(keys, std::string_view(member.key)) != keys.end()) continue;
    Fault(app, "\"" + member.key + "\" was added: no export has that key there");
    return false;
  }
  return true;
}

void AuditVerifier::ReadCheckpointLine(const AppId& app, Chain& chain, const Json& checkpoint) {
  if (chain.begun) {
    Fault(app, "a checkpoint stands behind entries: it can only stand for the log's beginning");
    return;
  }
  chain.begun = true;
  chain.begun_by_checkpoint = true;
  const auto head = router::ReadCheckpoint(secret_, checkpoint);
  if (!head || head->app != app) {
    Fault(app, "the checkpoint is forged: entries before it were removed and it proves nothing");
    chain.gap = true;
    return;
  }
  chain.checkpoint = head;
  chain.seal = head->seal;
  chain.stated = head->mac;
  chain.computed = head->mac;
}

void AuditVerifier::ReadEntryLine(const AppId& app, Chain& chain, const Json& line,
                                  const Json& entry) {
  CheckNumber(app, chain, entry);
  CheckAside(app, chain, line, entry);
  chain.begun = true;
  const auto seal = line.IntAt("seal");
  if (!seal) {
    ++chain.unsealed;
    return;
  }
  if (chain.unsealed > 0) Fault(app, Named(*seal) + " stands behind one that is not sealed");
  CheckPlace(app, chain, *seal);
  CheckSeal(app, chain, *seal, line.TextAt("mac"), entry.Canonical());
}

// Its digest is in the entry, and sealed with it. Gone it may be: then somebody's data was removed.
void AuditVerifier::CheckAside(const AppId& app, Chain& chain, const Json& line,
                               const Json& entry) {
  const Json* aside = line.Find("aside");
  if (aside == nullptr || aside->IsNull()) {
    if (!entry.TextAt("aside_digest").empty()) ++chain.asides_removed;
  } else if (!FitsEntry(*aside, entry)) {
    const auto seal = line.IntAt("seal");
    Fault(app, "what stands beside " + (seal ? Named(*seal) : std::string("an entry")) +
                   " was changed: it does not fit the digest in it");
  }
}

void AuditVerifier::CheckPlace(const AppId& app, Chain& chain, std::int64_t seal) {
  const bool begins_anywhere = chain.gap && chain.seals.empty();  // the checkpoint is forged
  if (chain.seals.contains(seal)) {
    Fault(app, Named(seal) + " is there twice");
    chain.gap = true;
  } else if (seal != chain.seal + 1 && !begins_anywhere) {
    Fault(app, Named(seal) + " stands where " + Named(chain.seal + 1) + " is expected");
    chain.gap = true;
  }
}

void AuditVerifier::CheckSeal(const AppId& app, Chain& chain, std::int64_t seal,
                              const std::string& mac, const std::string& text) {
  std::string expected = SealOf(secret_, app, seal, chain.stated, text);
  if (!chain.gap && !EqualInConstantTime(mac, expected)) {
    // Where the seal before was changed, this one fits what it was.
    expected = SealOf(secret_, app, seal, chain.computed, text);
    if (!EqualInConstantTime(mac, expected)) {
      Fault(app, Named(seal) + " was changed: it does not fit its seal");
    }
  }
  chain.computed = chain.gap ? mac : expected;
  chain.gap = false;
  chain.seal = seal;
  chain.stated = mac;
  chain.seals[seal] = mac;
}

// A number for each session, given in the entry's own commit: a gap is an entry that was removed
// before it was sealed.
void AuditVerifier::CheckNumber(const AppId& app, Chain& chain, const Json& entry) {
  const std::string session = entry.TextAt("session_id");
  const std::int64_t number = entry.IntAt("number").value_or(0);
  const auto known = chain.numbers.find(session);
  const bool is_first = known == chain.numbers.end();
  const std::int64_t last = is_first ? 0 : known->second;
  // What a checkpoint stands for may hold the session's first ones.
  const bool may_begin_later = is_first && chain.begun_by_checkpoint;
  if (number != last + 1 && !(may_begin_later && number > 0)) {
    Fault(app, "session " + session + ": number " + std::to_string(number) + " follows " +
                   std::to_string(last) + ": an entry of it is missing");
  }
  chain.numbers[session] = std::max(last, number);
}

void AuditVerifier::FindMissing(const AppId& app, const Chain& chain) {
  std::int64_t expected = chain.checkpoint ? chain.checkpoint->seal + 1 : 1;
  for (const auto& [seal, mac] : chain.seals) {
    if (seal > expected) {
      Fault(app, seal == expected + 1 ? Named(expected) + " was removed"
                                      : "entries " + std::to_string(expected) + " to " +
                                            std::to_string(seal - 1) + " were removed");
    }
    expected = std::max(expected, seal + 1);
  }
}

void AuditVerifier::CheckHead(const AuditHead& head, std::string_view whose) {
  const auto found = chains_.find(head.app);
  const std::string name = std::string(whose) + " " + TextOf(head);
  if (found == chains_.end() || !found->second.begun) {
    Fault(head.app, "the log was cut: nothing of it is here, and " + name + " was published");
    return;
  }
  const Chain& chain = found->second;
  const std::int64_t last = LastOf(chain.checkpoint, chain.seals);
  if (chain.checkpoint && head.seal <= chain.checkpoint->seal) {
    if (head.seal == chain.checkpoint->seal && head.mac != chain.checkpoint->mac) {
      Fault(head.app, name + " is of another log");
    } else {
      findings_.notes.push_back(head.app.text() + ": " + name +
                                " is older than what was kept: the checkpoint stands for it");
    }
    return;
  }
  if (head.seal > last) {
    Fault(head.app, "the end was cut off: the log ends with " + Named(last) + ", and " + name +
                        " was published");
    return;
  }
  const auto mac = chain.seals.find(head.seal);
  if (mac == chain.seals.end() || mac->second != head.mac) {
    Fault(head.app, "the log is another one than that of " + name);
    return;
  }
  findings_.notes.push_back(head.app.text() + ": complete up to " + name);
}

void AuditVerifier::NoteOf(const AppId& app, const Chain& chain, bool has_head) {
  std::string note = app.text() + ": " + std::to_string(chain.seals.size()) + " sealed entries";
  if (!chain.begun) note = app.text() + ": nothing of its log is here";
  if (chain.checkpoint) {
    note += ", and a checkpoint for the " + std::to_string(chain.checkpoint->seal) +
            " before them that were removed when their time was over";
  }
  findings_.notes.push_back(std::move(note));
  if (chain.unsealed > 0) {
    findings_.notes.push_back(app.text() + ": " + std::to_string(chain.unsealed) +
                              " entries are not sealed yet: nothing proves them");
  }
  if (chain.asides_removed > 0) {
    findings_.notes.push_back(app.text() + ": of " + std::to_string(chain.asides_removed) +
                              " entries what was personal was removed");
  }
  if (!has_head) {
    findings_.ends_proven = false;
    findings_.notes.push_back(
        app.text() + ": without a head that was published, it can't be seen whether " +
        (chain.begun
             ? "entries behind " + Named(LastOf(chain.checkpoint, chain.seals)) + " were cut off"
             : std::string("there were entries, which were removed")));
  }
}

AuditVerifier::Findings AuditVerifier::Finish(const std::vector<AuditHead>& heads) {
  line_ = 0;
  if (chains_.empty() && heads.empty()) {
    findings_.ends_proven = false;
    findings_.notes.emplace_back("nothing is here, and nothing was expected: that proves nothing");
  }
  for (const auto& [app, chain] : chains_) {
    const bool has_head = std::ranges::count(heads, app, &AuditHead::app) > 0;
    FindMissing(app, chain);
    NoteOf(app, chain, has_head);
    if (chain.own_head) CheckHead(*chain.own_head, "the export's own head");
  }
  for (const AuditHead& head : heads) CheckHead(head, "head");
  return findings_;
}

}  // namespace writ::router
