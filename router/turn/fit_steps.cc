#include "router/turn/fit_steps.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "router/base/text.h"
#include "router/tool/shown_text.h"
#include "router/turn/step.h"

namespace writ::router {
namespace {

using Keys = std::span<const std::string_view>;

Json Only(const Json& json, Keys keys) {
  Json kept = Json::MakeObject();
  for (const JsonMember& member : json.object()) {
    if (std::ranges::find(keys, member.key) != keys.end()) kept.Set(member.key, member.value);
  }
  return kept;
}

void KeepApproval(Json& step, Keys keys) {
  if (Json* approval = step.Find("approval")) *approval = Only(*approval, keys);
}

void Shorten(Json& json, std::string_view key) {
  Json* member = json.Find(key);
  if (member == nullptr || !member->IsString()) return;
  const std::string_view kept = FirstCharacters(member->string(), kShortScalar);
  if (kept.size() < member->string().size()) *member = std::string(kept) + "…";
}

void CutSummary(Json& step) { Shorten(step, "summary"); }

void CutApproval(Json& step) {
  static constexpr std::array<std::string_view, 1> kKept{"decision"};
  KeepApproval(step, kKept);
}

void CutToEssence(Json& step) {
  static constexpr std::array<std::string_view, 9> kKept{"type",           "id",       "request_id",
                                                         "name",           "status",   "outcome",
                                                         "target_user_id", "approval", "revision"};
  step = Only(step, kKept);
  CutApproval(step);
  Shorten(step, "name");
}

// What a waiting step has beside its ask.
void CutExtras(Json& step) {
  Shorten(step, "display_title");
  if (Json* approval = step.Find("approval")) Shorten(*approval, "reason");
}

void CutToAsk(Json& step) {
  static constexpr std::array<std::string_view, 8> kKept{
      "type", "id", "request_id", "name", "status", "target_user_id", "approval", "expires_at"};
  static constexpr std::array<std::string_view, 2> kWords{"title", "message"};
  step = Only(step, kKept);
  KeepApproval(step, kWords);
}

void CutToBareAsk(Json& step) {
  static constexpr std::array<std::string_view, 7> kKept{
      "type", "id", "request_id", "name", "status", "target_user_id", "approval"};
  static constexpr std::array<std::string_view, 1> kTitle{"title"};
  step = Only(step, kKept);
  KeepApproval(step, kTitle);
}

std::size_t BytesInJson(std::string_view text) { return Json(text).Dump().size() - 2; }

class Steps {
 public:
  Steps(const Turn& turn, const FaceLimits& limits, const Texts& texts)
      : limits_(limits), words_{texts, limits.inbox_url} {
    for (const Call& call : turn.calls) {
      entries_.push_back({&call, StepWith(turn, call, words_), 0, false});
      Measure(entries_.back());
    }
  }

  std::vector<Json> Fitted() && {
    Cut(IsFinished, CutSummary);
    Cut(IsFinished, CutApproval);
    Cut(IsFinished, CutToEssence);
    Cut(IsRunning, CutToEssence);
    DropOldest(IsFinished);
    DropOldest(IsRunning);
    Cut(IsWaiting, CutExtras);
    CutMessages();
    Cut(IsWaiting, CutToAsk);
    CutMessages();
    Cut(IsWaiting, CutToBareAsk);
    DropNewestWaiting();
    std::vector<Json> fitted;
    for (Entry& entry : entries_) {
      if (!entry.dropped) fitted.push_back(std::move(entry.json));
    }
    return fitted;
  }

 private:
  struct Entry {
    const Call* call;
    Json json;
    std::size_t bytes;  // with the comma behind it
    bool dropped;
  };
  using Group = bool (*)(const Entry&);

  static bool IsFinished(const Entry& entry) { return IsSettled(entry.call->state); }
  static bool IsWaiting(const Entry& entry) { return entry.call->state == CallState::kHeld; }
  static bool IsRunning(const Entry& entry) { return IsDue(*entry.call); }

  [[nodiscard]] bool Fits() const { return bytes_ <= limits_.attachment_bytes; }

  void Measure(Entry& entry) {
    bytes_ -= entry.bytes;
    entry.bytes = entry.json.Dump().size() + 1;
    bytes_ += entry.bytes;
  }

  void Drop(Entry& entry) {
    bytes_ -= entry.bytes;
    entry.bytes = 0;
    entry.dropped = true;
  }

  void Cut(Group group, void (*cut)(Json&)) {
    for (Entry& entry : entries_) {
      if (Fits()) return;
      if (entry.dropped || !group(entry)) continue;
      cut(entry.json);
      Measure(entry);
    }
  }

  void DropOldest(Group group) {
    for (Entry& entry : entries_) {
      if (Fits()) return;
      if (group(entry)) Drop(entry);
    }
  }

  // More asks than the platform's limit can hold even bare: a post that it refuses would show none
  // of them. The text and the inbox name the rest.
  void DropNewestWaiting() {
    for (auto entry = entries_.rbegin(); entry != entries_.rend() && !Fits(); ++entry) {
      if (IsWaiting(*entry)) Drop(*entry);
    }
  }

  // Shares the room that is left among the asks' arguments: who needs less leaves it to the others.
  void CutMessages() {
    if (Fits()) return;
    std::vector<std::pair<std::size_t, Entry*>> wanted;
    for (Entry& entry : entries_) {
      if (!IsWaiting(entry)) continue;
      wanted.emplace_back(BytesInJson(ShownOf(*entry.call).text), &entry);
      SetMessage(entry, {"", true});
    }
    std::ranges::sort(wanted, {}, [](const auto& want) { return want.first; });
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::size_t left =
          limits_.attachment_bytes - std::min(bytes_, limits_.attachment_bytes);
      Entry& entry = *wanted[i].second;
      const ShownText whole = ShownOf(*entry.call);
      ShownText shown = FitShown(whole.text, left / (wanted.size() - i), BytesInJson);
      shown.cut = shown.cut || whole.cut;
      SetMessage(entry, shown);
    }
  }

  void SetMessage(Entry& entry, const ShownText& shown) {
    Json* approval = entry.json.Find("approval");
    if (approval == nullptr) return;
    approval->Set("message", AskMessage(*entry.call, shown, words_));
    Measure(entry);
  }

  const FaceLimits& limits_;
  const FaceWords words_;
  std::vector<Entry> entries_;
  std::size_t bytes_ = 1;  // the opening bracket; the closing one stands for the last comma
};

}  // namespace

std::vector<Json> FitSteps(const Turn& turn, const FaceLimits& limits, const Texts& texts) {
  return Steps(turn, limits, texts).Fitted();
}

}  // namespace writ::router
