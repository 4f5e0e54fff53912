#include "store/ledger/notice.h"

#include "router/base/stored.h"

namespace writ::store {

using router::Json;

void SaveNotice(Records& records, const router::AppId& app, std::string_view id,
                const NoticeContent& notice, router::TimePoint now) {
  const Json doc =
      Json::MakeObject({{"agent", notice.agent.text()},
                        {"cid", notice.cid.text()},
                        {"thread", notice.thread ? Json(notice.thread->text()) : Json()},
                        {"text", notice.text},
                        {"language", notice.language}});
  OutboxRow row;
  row.id = "notice:" + std::string(id);
  row.app = app.text();
  row.lane = notice.cid.text();
  row.doc = doc.Dump();
  row.due = true;
  row.due_at = now;
  records.SaveOutbox(row, true);
}

NoticeContent NoticeFromText(std::string_view text) {
  namespace stored = router::stored;
  const Json json = stored::Parsed(text);
  NoticeContent notice{router::AgentId(stored::Text(json, "agent")),
                       router::Cid(stored::Text(json, "cid")), std::nullopt,
                       stored::Text(json, "text"), json.TextAt("language")};
  if (!stored::At(json, "thread").IsNull()) {
    notice.thread = router::MessageId(stored::Text(json, "thread"));
  }
  return notice;
}

}  // namespace writ::store
