#include "bot/depths.h"

#include <string>

namespace writ::bot {
namespace {

store::EngineLoad LoadOf(const Depths& of) {
  return of.loaded != nullptr ? of.loaded->LoadNow() : store::EngineLoad();
}

}  // namespace

void WatchDepths(Metrics& metrics, const Depths& depths) {
  const auto watch = [&](const std::string& name, const std::string& help, auto read) {
    metrics.Watch(name, help, [depths, read] { return static_cast<double>(read(depths)); });
  };
  watch("writ_calls_out", "Calls that are with a connector now",
        [](const Depths& of) { return of.under_way.CountCalls(); });
  watch("writ_work_under_way", "Model requests, callbacks and calls that are out now",
        [](const Depths& of) { return of.under_way.Count(); });
  watch("writ_jobs_waiting", "Jobs that wait for a worker of this node",
        [](const Depths& of) { return of.pool.Waiting(); });
  watch("writ_events_to_open", "Stored events that wait for a worker of this node",
        [](const Depths& of) { return of.pool.Offered(); });
  watch("writ_events_in_line", "Deliveries, commands and sessions that wait for a worker",
        [](const Depths& of) { return of.server ? of.server->CountWaiting() : 0; });
  watch("writ_http_connections", "Connections to the HTTP API that are open now",
        [](const Depths& of) { return of.server ? of.server->CountConnections() : 0; });
  watch("writ_http_connections_limit", "The most of them: limits.connections",
        [](const Depths& of) { return of.most_connections; });
  watch("writ_streams_open", "Streams to clients that are open now",
        [](const Depths& of) { return of.streams.Count(); });
  watch("writ_answers_waiting", "Answers over WebSockets that wait for a worker",
        [](const Depths& of) { return of.answering.Waiting(); });
  watch("writ_requests_waiting", "Outgoing requests that wait for room at their host",
        [](const Depths& of) {
          return of.http.CountWaiting() + of.models_http.CountWaiting() +
                 of.memberships_http.CountWaiting();
        });
  watch("writ_store_commits_waiting", "Commits that wait for the store, or are written",
        [](const Depths& of) { return LoadOf(of).commits_waiting; });
  watch("writ_store_bytes", "What the store's rows take; 0 where a server has them",
        [](const Depths& of) { return LoadOf(of).bytes; });
  watch("writ_store_bytes_limit", "The most that they may take: store.max_mb; 0: no limit",
        [](const Depths& of) { return of.most_store_bytes.value_or(0); });
  watch("writ_store_answers", "1 while the store answers, else 0",
        [](const Depths& of) { return of.ticker.StoreAnswers() ? 1 : 0; });
  watch("writ_connectors_failing", "Connectors none of whose tools is offered",
        [](const Depths& of) { return of.shelves.Troubles().size(); });
}

}  // namespace writ::bot
