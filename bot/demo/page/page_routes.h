#pragma once

#include "bot/demo/demo_world.h"
#include "bot/http/route_table.h"
#include "router/base/time.h"

namespace writ::bot {

// The demo's page and what it lives on:
//
//   GET  /             the page, its style and its program
//   GET  /demo/state   who is there, the channel's messages, what the CRM really ran
//   POST /demo/say     {user, text}: one of the two people writes
//   POST /demo/do      {what}: `kill` and `start` the node, Anya's `leave` and `return`, `hurry`
//   and
//                      `calm` how long calls wait
//   POST /v1/agents/conversations/{cid}/tool_approvals
//                      handed on to the node as it is: the page answers through Writ's own API
//
// Whoever can reach this port may be either of the two: they are made up.
void AddPageRoutes(RouteTable& routes, DemoWorld& world, const router::Clock& clock);

}  // namespace writ::bot
