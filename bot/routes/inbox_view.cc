#include "bot/routes/inbox_view.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "router/turn/approval_json.h"
#include "router/turn/face.h"

namespace writ::bot {

using router::Json;
using router::Shelves;

namespace {

constexpr std::chrono::milliseconds kLongestWait{1500};

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Of nothing where the call's turn or its connector is gone.
ListId ListOf(const Api& api, const InboxCall& call) {
  if (!call.turn) return {};
  const router::AgentSetup* agent = api.directory.FindAgent(call.turn->app, call.turn->agent);
  if (agent == nullptr) return {};
  return {router::FindConnector(*agent, call.record.connector), call.turn->session};
}

// Shared with callbacks that may come after this thread has given up waiting.
struct Gathered {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<ListId, Shelves::Shelved> shelves;  // guarded by mutex
  std::size_t missing = 0;                     // guarded by mutex
};

Json SaidIn(const router::Turn& turn) {
  return Json::MakeObject({{"text", turn.text},
                           {"author", TextOrNull(turn.author.text())},
                           {"author_name", TextOrNull(turn.author_name)},
                           {"writer", TextOrNull(turn.writer.text())},
                           {"initiator", TextOrNull(turn.initiator.text())},
                           {"created_at", router::FormatTime(turn.created_at)}});
}

Json ToolJson(const router::Tool& tool) {
  return Json::MakeObject({{"title", TextOrNull(tool.title)},
                           {"description", TextOrNull(tool.description)},
                           {"input_schema", tool.input_schema}});
}

}  // namespace

ToolsNow::ToolsNow(const Api& api, const std::vector<InboxCall>& calls) : api_(api) {
  std::map<ListId, router::AppId> wanted;
  for (const InboxCall& call : calls) {
    const ListId list = ListOf(api, call);
    if (list.first != nullptr) wanted.emplace(list, call.turn->app);
  }
  const auto gathered = std::make_shared<Gathered>();
  gathered->missing = wanted.size();
  std::stop_source stop;
  for (const auto& [list, app] : wanted) {
    api.shelves.Get(*list.first, {app, list.second}, router::kListAgeToSend, stop.get_token(),
                    [gathered, list = list](Shelves::Outcome outcome) {
                      const std::lock_guard lock(gathered->mutex);
                      if (auto* shelf = std::get_if<Shelves::Shelved>(&outcome)) {
                        gathered->shelves[list] = std::move(*shelf);
                      }
                      --gathered->missing;
                      gathered->changed.notify_all();
                    });
  }
  std::unique_lock lock(gathered->mutex);
  gathered->changed.wait_for(lock, kLongestWait, [&] { return gathered->missing == 0; });
  shelves_ = gathered->shelves;
  lock.unlock();
  stop.request_stop();
}

const router::Tool* ToolsNow::Find(const InboxCall& call) const {
  const auto shelf = shelves_.find(ListOf(api_, call));
  const router::Call* made = call.turn ? FindCall(*call.turn, call.record.call) : nullptr;
  if (shelf == shelves_.end() || made == nullptr) return nullptr;
  const router::ShelvedTool* tool = shelf->second->Find(made->tool);
  return tool == nullptr ? nullptr : &tool->tool;
}

Json InboxViewOf(const InboxCall& call, const ToolsNow& tools, std::string answer_to) {
  const router::Call* made = call.turn ? FindCall(*call.turn, call.record.call) : nullptr;
  const router::Tool* tool = tools.Find(call);
  return Json::MakeObject(
      {{"approval", ApprovalJson(call.record)},
       {"answer_to", std::move(answer_to)},
       {"said", call.turn ? SaidIn(*call.turn) : Json()},
       {"turn", call.turn ? Json::MakeObject({{"state", NameOf(call.turn->state)},
                                              {"reply", TextOrNull(call.turn->reply)}})
                          : Json()},
       {"step", made != nullptr ? StepOf(*call.turn, *made) : Json()},
       {"tool", tool != nullptr ? ToolJson(*tool) : Json()}});
}

}  // namespace writ::bot
