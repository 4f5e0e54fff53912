#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bot/auth/caller.h"
#include "bot/http/problem.h"
#include "bot/http/request.h"
#include "bot/http/route_table.h"
#include "bot/http/streams.h"
#include "bot/metrics/metrics.h"
#include "bot/streams/session_feed.h"
#include "router/approval/personal_data.h"
#include "router/audit/ledger.h"
#include "router/flow/answer.h"
#include "router/flow/explain.h"
#include "router/flow/open_turn.h"
#include "router/flow/ports.h"
#include "router/flow/run_turn.h"
#include "router/flow/setup.h"
#include "router/flow/shelves.h"

namespace writ::bot {

class HeldCalls;

// What one app's hook route does with a delivery: the platform's own verifying and parsing.
struct HookRefused {
  Problem problem;
};
// Events are stored first and acknowledged then; without any the delivery is only acknowledged.
struct HookEvents {
  std::vector<router::ChannelEvent> events;
  Response acknowledgement;  // as the platform wants it: 200
};
// What a verified person does to held calls with the platform's own means: a button, a form, a
// reply with a code. Done at once; the response is the platform's answer. What it captures must not
// refer to the request.
struct HookGesture {
  std::function<Response(const HeldCalls&)> run;
  // The answer of a platform that waits for three seconds, where `run` takes longer: it is done all
  // the same, and its own response is nobody's then. nullopt: it is waited for.
  std::optional<Response> when_late = std::nullopt;
};
using HookRead = std::variant<HookRefused, HookEvents, HookGesture>;
using ReadHook = std::function<HookRead(const Request&)>;

// What the inbox's page needs to know of the node.
struct InboxPlace {
  std::string only_key;    // the API key of the node's one app; empty where it has several
  std::string public_url;  // empty: not known
};

// What the routes act through; everything outlives them.
struct Api {
  const router::Ports& ports;
  const router::Directory& directory;
  router::Shelves& shelves;
  router::Node& node;
  router::RunTurn& run;
  router::OpenTurn& open;
  router::Answer& answer;
  const router::Explain& explain;
  Streams& streams;
  SessionFeed& feed;
  // Runs answers that come over streams, and by clicks: they may wait for the platform's word on a
  // membership.
  router::Jobs& answering;
  router::PersonalData& personal_data;
  router::AuditLedger* audit;  // nullptr: there is no log
  AppLookup apps;              // by API key
  std::map<router::AppId, ReadHook> hooks;
  std::function<bool()> store_answers;
  // Why no new event, command or session is taken now; nullopt: it is. What was begun goes on.
  std::function<std::optional<Problem>()> refuses_new;
  // Counts what was refused for another reason: `streams`, `answers`.
  std::function<void(std::string_view why)> shed;
  InboxPlace inbox;
};

// most_waiting  workers of the server that wait until what a person did there is done
void AddHookRoutes(RouteTable& routes, const Api& api, std::ptrdiff_t most_waiting);
void AddAnswerRoutes(RouteTable& routes, const Api& api);
void AddApprovalRoutes(RouteTable& routes, const Api& api);
void AddInboxRoutes(RouteTable& routes, const Api& api);
void AddAuditRoutes(RouteTable& routes, const Api& api);
void AddSessionRoutes(RouteTable& routes, const Api& api);
void AddCommandRoutes(RouteTable& routes, const Api& api);
void AddCallRoutes(RouteTable& routes, const Api& api);
void AddStreamRoutes(RouteTable& routes, const Api& api);
void AddConsentRoutes(RouteTable& routes, const Api& api);
void AddForgetRoute(RouteTable& routes, const Api& api);
void AddExplainRoute(RouteTable& routes, const Api& api);
void AddHealthRoutes(RouteTable& routes, const Api& api);
// GET /metrics
void AddMetricsRoute(RouteTable& routes, Metrics& metrics);

}  // namespace writ::bot
