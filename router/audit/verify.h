#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/audit/chain.h"
#include "router/base/ids.h"
#include "router/base/json.h"

namespace writ::router {

// Reads an export, line by line, and holds each app's chain to the secret. Lines are JSON objects
// with `app_id`: `{"checkpoint"}` first where something was removed, `{"seal", "mac", "entry",
// "aside"}` for each entry (`seal` null: not sealed yet; `aside` null: nothing is beside it, or it
// was removed), `{"head"}` at the end.
class AuditVerifier {
 public:
  explicit AuditVerifier(std::string secret) : secret_(std::move(secret)) {}

  // Such an app has a log: where nothing of it is read, that is said.
  void Expect(const AppId& app) { chains_[app]; }

  void Read(std::string_view line);

  struct Findings {
    std::vector<std::string> faults;  // what was changed, removed, reordered or forged
    std::vector<std::string> notes;   // what is proven, and what can't be
    bool ends_proven = true;          // false: of some log a cut end could not be seen
  };
  // At the end. `heads` were published before: what is up to them must be there.
  [[nodiscard]] Findings Finish(const std::vector<AuditHead>& heads);

 private:
  struct Chain {
    std::int64_t seal = 0;  // of the last line
    std::string stated;     // the seal that the line states,
    std::string computed;   // and the one that it should have
    // Where the line before is missing, the next entry can't be held to it; those behind it can.
    bool gap = false;
    bool begun = false;
    bool begun_by_checkpoint = false;  // genuine or not
    std::int64_t unsealed = 0;
    std::int64_t asides_removed = 0;
    std::optional<AuditHead> checkpoint;          // where it is genuine
    std::map<std::string, std::int64_t> numbers;  // the last of each session
    std::map<std::int64_t, std::string> seals;    // as stated, of each line that there was
    std::optional<AuditHead> own_head;            // as the export states it
  };
  [[nodiscard]] bool HasOnly(const AppId& app, const Json& line,
                             std::initializer_list<std::string_view> keys);
  void ReadCheckpointLine(const AppId& app, Chain& chain, const Json& checkpoint);
  void ReadEntryLine(const AppId& app, Chain& chain, const Json& line, const Json& entry);
  void CheckAside(const AppId& app, Chain& chain, const Json& line, const Json& entry);
  void CheckPlace(const AppId& app, Chain& chain, std::int64_t seal);
  void CheckSeal(const AppId& app, Chain& chain, std::int64_t seal, const std::string& mac,
                 const std::string& text);
  void CheckNumber(const AppId& app, Chain& chain, const Json& entry);
  void FindMissing(const AppId& app, const Chain& chain);
  void CheckHead(const AuditHead& head, std::string_view whose);
  void NoteOf(const AppId& app, const Chain& chain, bool has_head);
  void Fault(const AppId& app, const std::string& what);

  const std::string secret_;
  std::size_t line_ = 0;
  std::map<AppId, Chain> chains_;
  Findings findings_;
};

}  // namespace writ::router
