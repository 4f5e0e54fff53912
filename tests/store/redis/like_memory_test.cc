// A transaction on Redis answers as one in memory does, whatever it did before: long transactions
// of random methods over few names, run on both.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "store/memory/memory_engine.h"
#include "store/redis/redis_engine.h"
#include "tests/support/redis_server.h"

namespace writ::store {
namespace {

constexpr TimePoint kNoon{std::chrono::hours(12)};

TimePoint At(int second) { return kNoon + std::chrono::seconds(second); }

template <class Rows>
std::string IdsOf(const Rows& rows) {
  std::string ids;
  for (const auto& row : rows) ids += row.id + "=" + row.doc + " ";
  return ids;
}

template <class Row>
std::string IdOf(const std::optional<Row>& row) {
  return row ? row->id + "=" + row->doc : "none";
}

// One thing done, and what came of it in words.
using Step = std::function<std::string(Records&)>;

class Steps {
 public:
  explicit Steps(unsigned seed) : random_(seed) {}

  int Pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  std::string Name(const char* kind, int of = 4) { return kind + std::to_string(Pick(of)); }

  Step Next() {
    switch (Pick(8)) {
      case 0:
        return SaveSome();
      case 1:
        return Turns();
      case 2:
        return Work();
      case 3:
      case 4:
        return Outbox();
      case 5:
        return Approvals();
      case 6:
        return Rest();
      default:
        return Events();
    }
  }

 private:
  Step SaveSome() {
    TurnRow row;
    const int id = Pick(12);
    row.id = "turn" + std::to_string(id);
    row.app = "acme";
    row.lane = "lane" + std::to_string(id % 2);
    row.session = "ses" + std::to_string(id % 3);
    row.message = id % 4 == 0 ? "" : "message" + std::to_string(id);
    row.client_id = id % 5 == 0 ? "client" + std::to_string(id) : "";
    row.created_at = At(id / 2);
    row.line = Pick(3) - 1;
    row.line_at = At(Pick(5));
    row.ended = Pick(3) == 0;
    if (Pick(2) == 0) row.wake_at = At(Pick(6));
    row.doc = std::to_string(Pick(1000));
    return [row](Records& records) {
      records.SaveTurn(row);
      return std::string("saved");
    };
  }

  Step Turns() {
    const std::string lane = Name("lane", 2);
    const std::string session = Name("ses", 3);
    const std::string turn = Name("turn", 12);
    const int line = Pick(2);
    const int at = Pick(6);
    const auto limit = static_cast<std::size_t>(Pick(4));
    const auto what = static_cast<Records::Counted>(Pick(3));
    switch (Pick(12)) {
      case 9:
        return [=](Records& r) { return std::to_string(r.CountUpTo("acme", what, 3)); };
      case 10:
        return [=](Records& r) { return std::to_string(r.LastChange(session)); };
      case 11:
        return [=](Records& r) { return IdsOf(r.TurnsChanged(session, at, limit)); };
      case 0:
        return [=](Records& r) { return IdOf(r.FirstInLine("acme", lane)); };
      case 1:
        return [=](Records& r) { return std::to_string(r.CountInLine("acme", lane, line)); };
      case 2:
        return [=](Records& r) { return IdsOf(r.OpenTurnsOfLane("acme", lane, limit)); };
      case 3:
        return [=](Records& r) { return IdsOf(r.OpenTurnsOfSession(session, limit)); };
      case 4:
        return [=](Records& r) { return IdsOf(r.TurnsBefore(session, At(at), turn, limit)); };
      case 5:
        return [=](Records& r) { return IdsOf(r.TurnsToWake(At(at), limit)); };
      case 6:
        return [=](Records& r) {
          const auto first = r.FirstWake();
          return first ? std::to_string(first->time_since_epoch().count()) : "never";
        };
      case 7:
        return [=](Records& r) { return IdOf(r.FindTurnOfMessage("acme", "message" + turn)); };
      default:
        return [=](Records& r) { return IdOf(r.FindTurn(turn)); };
    }
  }

  Step Work() {
    WorkRow row{Name("turn", 3), Name("call", 2), "acme",     Pick(2) == 0 ? "" : Name("node", 3),
                Pick(9),         Pick(3),         At(Pick(6))};
    const int at = Pick(6);
    const auto limit = static_cast<std::size_t>(Pick(4));
    const auto words = [](const std::vector<WorkRow>& rows) {
      std::stringstream text;
      for (const WorkRow& each : rows) {
        text << each.turn << '/' << each.call << '@' << each.node << each.fence << ' ';
      }
      return text.str();
    };
    switch (Pick(6)) {
      case 0:
      case 1:
        return [=](Records& r) {
          r.SaveWork(row);
          return std::string("saved");
        };
      case 2:
        return [=](Records& r) {
          r.DeleteWork(row.turn, row.call);
          return std::string("deleted");
        };
      case 3:
        return [=](Records& r) { return words(r.WorkOfTurn(row.turn)); };
      case 4:
        return [=](Records& r) { return words(r.ClaimableWork(At(at), limit)); };
      default:
        return [=](Records& r) {
          const auto found = r.FindWork(row.turn, row.call);
          return found ? words({*found}) : "none";
        };
    }
  }

  Step Outbox() {
    OutboxRow row;
    const int id = Pick(8);
    row.id = "face" + std::to_string(id);
    row.app = "acme";
    row.lane = "lane" + std::to_string(id % 3);
    row.queue = id % 3 == 2 ? "events:acme" : "";
    row.wanted = 1;
    row.due = Pick(3) != 0;
    row.due_at = At(Pick(6));
    row.node = Pick(3) == 0 ? Name("node", 3) : "";
    row.doc = std::to_string(Pick(1000));
    const bool new_place = Pick(2) == 0;
    const int at = Pick(6);
    const auto limit = static_cast<std::size_t>(Pick(4));
    const std::string queue = row.queue;
    switch (Pick(8)) {
      case 0:
      case 1:
      case 2:
        return [=](Records& r) {
          // Its place is kept, or it gets one: as the ledgers do it.
          OutboxRow saved = row;
          const auto before = r.FindOutbox(row.id);
          if (before) saved.sequence = before->sequence;
          r.SaveOutbox(saved, row.due && (!before || !before->due || new_place));
          return std::string("saved");
        };
      case 3:
        return [=](Records& r) {
          r.DeleteOutbox(row.id);
          return std::string("deleted");
        };
      case 4:
        return [=](Records& r) { return IdsOf(r.OutboxOfLane("acme", row.lane, limit)); };
      case 5:
        return [=](Records& r) {
          const auto first = r.FirstDelivery(queue);
          return first ? std::to_string(first->time_since_epoch().count()) : "never";
        };
      default:
        // In the order of their time; those of one instant stand in the order of places, which
        // count over all lanes in memory and within one lane in Redis.
        return [=](Records& r) {
          std::set<std::string> ids;
          for (const OutboxRow& each : r.DeliverableOutbox(queue, At(at), 99)) ids.insert(each.id);
          std::string text;
          for (const std::string& each : ids) text += each + " ";
          return text;
        };
    }
  }

  Step Approvals() {
    const int id = Pick(9);
    const ApprovalRow row{"apr" + std::to_string(id),
                          "run" + std::to_string(id % 2),
                          "call" + std::to_string(id % 3),
                          "acme",
                          "lane" + std::to_string(id % 2),
                          "user" + std::to_string(id % 3),
                          Pick(3),
                          Pick(2) == 0,
                          At(id / 2),
                          At(9),
                          std::to_string(Pick(1000))};
    const int if_status = Pick(3);
    switch (Pick(5)) {
      case 0:
        return [=](Records& r) { return std::string(r.InsertApproval(row) ? "new" : "there"); };
      case 1:
        return [=](Records& r) {
          return std::string(r.ReplaceApproval(row, if_status, row.consumed) ? "done" : "other");
        };
      case 2:
        return [=](Records& r) { return IdsOf(r.ApprovalsOfCall(row.run, row.call)); };
      default: {
        ApprovalFilter filter;
        filter.app = "acme";
        if (Pick(2) == 0) filter.status = Pick(3);
        if (Pick(2) == 0) filter.run = row.run;
        if (Pick(2) == 0) filter.lane = Name("lane", 2);
        if (Pick(2) == 0) filter.asked = Name("user", 3);
        if (Pick(2) == 0) {
          filter.before_at = At(Pick(5));
          filter.before_id = Name("apr", 9);
        }
        filter.limit = static_cast<std::size_t>(Pick(4));
        return [=](Records& r) { return IdsOf(r.ListApprovals(filter)); };
      }
    }
  }

  Step Rest() {
    const int id = Pick(6);
    const SessionRow session{"ses" + std::to_string(id),
                             "acme",
                             "helper",
                             id % 3 == 0 ? "" : "cid" + std::to_string(id % 3),
                             Name("owner", 2),
                             Pick(2) == 0,
                             At(id / 2),
                             At(Pick(6)),
                             std::to_string(Pick(1000))};
    const ConsentRow consent{
        "con" + std::to_string(id),      "acme",     "lane" + std::to_string(id % 2),
        "user" + std::to_string(id % 3), At(id / 2), At(3 + id),
        std::to_string(Pick(1000))};
    const bool open = Pick(2) == 0;
    const std::optional<std::string> cid =
        Pick(2) == 0 ? std::optional(Name("cid", 3)) : std::nullopt;
    const std::optional<std::string> owner =
        Pick(2) == 0 ? std::optional(Name("owner", 2)) : std::nullopt;
    const std::string before = Pick(2) == 0 ? Name("ses", 6) : "";
    const int at = Pick(9);
    const auto limit = static_cast<std::size_t>(Pick(4));
    const std::string turn = Name("turn", 6);
    switch (Pick(25) == 0 ? 9 + Pick(2) : Pick(9)) {
      case 9:
        return [=](Records& r) {
          r.DeleteSession(session.id);
          return std::string("deleted");
        };
      case 10:
        return [=](Records& r) {
          r.DeleteTurn(turn);
          return std::string("deleted");
        };
      case 0:
        return [=](Records& r) {
          r.SaveSession(session);
          return std::string("saved");
        };
      case 1:
        return [=](Records& r) {
          return IdsOf(r.ListSessions("acme", open, cid, owner, before, limit));
        };
      case 2:
        return [=](Records& r) { return IdsOf(r.SessionsActiveSince("acme", At(at), limit)); };
      case 3:
        return
            [=](Records& r) { return IdOf(r.FindOpenSession("acme", "helper", cid.value_or(""))); };
      case 4:
        return [=](Records& r) { return std::string(r.InsertConsent(consent) ? "new" : "there"); };
      case 5:
        return [=](Records& r) { return std::string(r.DeleteConsent(consent.id) ? "y" : "n"); };
      case 6:
        return [=](Records& r) {
          r.DeleteConsentsBefore(At(at), limit);
          return std::string("deleted");
        };
      case 7:
        return [=](Records& r) {
          LaneRow lane = r.FindLane("acme", consent.lane);
          std::string holder = lane.holder;
          lane.holder = lane.holder.empty() ? consent.id : "";
          r.SaveLane(lane);
          return holder;
        };
      default:
        return [=](Records& r) {
          return IdsOf(r.ConsentsOfLane("acme", consent.lane, std::nullopt, At(at), limit));
        };
    }
  }

  Step Events() {
    const int id = Pick(9);
    const EventRow event{"acme",
                         "key" + std::to_string(id),
                         "message" + std::to_string(id % 2),
                         static_cast<EventRow::State>(Pick(3)),
                         At(Pick(4)),
                         std::to_string(Pick(1000))};
    const int at = Pick(5);
    const auto limit = static_cast<std::size_t>(Pick(4));
    const auto words = [](const std::vector<EventRow>& rows) {
      std::string text;
      for (const EventRow& row : rows) text += row.key + "=" + row.doc + " ";
      return text;
    };
    switch (Pick(6)) {
      case 0:
        return [=](Records& r) { return std::string(r.InsertEvent(event) ? "new" : "there"); };
      case 1:
        return [=](Records& r) {
          r.SetEventState("acme", event.key, event.state);
          return std::string("set");
        };
      case 2:
        return [=](Records& r) { return words(r.WaitingEvents(limit)); };
      case 3:
        return [=](Records& r) {
          return words(r.ParkedEvents("acme", event.message)) + "/" +
                 words(r.ParkedEventsSince("acme", At(at), limit));
        };
      case 4:
        return [=](Records& r) {
          r.DeleteEventsBefore(At(at), limit);
          return std::string("deleted");
        };
      default:
        return [=](Records& r) {
          r.InsertAudit({"acme", 0, event.doc, 0, "", event.key});
          std::string docs;
          for (const AuditRow& row : r.UnsealedAudit("acme", limit)) {
            docs += row.doc + " ";
            if (row.doc.size() % 2 == 0) r.SealAudit(row.place, r.NextAuditNumber("all"), "mac");
          }
          for (const AuditRow& row : r.SealedAudit("acme", at, 3)) {
            docs += std::to_string(row.seal) + row.doc + row.aside + " ";
            if (at == 2) r.SetAuditAside(row.place, "");
          }
          if (at == 0) r.DeleteAuditThrough("acme", r.NextAuditNumber("all") - 5);
          return docs;
        };
    }
  }

  std::mt19937 random_;
};

void RunBoth(unsigned seed) {
  MemoryEngine memory;
  RedisEngine redis({.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix()});
  Steps steps(seed);
  const auto nodes = [](Records& records) { records.SaveNode("node1", At(3)); };
  memory.Commit(nodes);
  redis.Commit(nodes);
  for (int transaction = 0; transaction < 60; ++transaction) {
    std::vector<Step> work;
    for (int i = steps.Pick(12); i >= 0; --i) work.push_back(steps.Next());
    std::vector<std::string> wanted;
    std::vector<std::string> got;
    const auto run = [&work](Engine& engine, std::vector<std::string>& said) {
      engine.Commit([&](Records& records) {
        said.clear();
        for (const Step& step : work) said.push_back(step(records));
      });
    };
    run(memory, wanted);
    run(redis, got);
    ASSERT_EQ(got, wanted) << "seed " << seed << ", transaction " << transaction;
  }
}

TEST(RedisTransactions, AnswerAsThoseInMemory) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    RunBoth(seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace writ::store
