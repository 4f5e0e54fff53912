#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bot/http/server.h"
#include "bot/http/streams.h"
#include "bot/metrics/metrics.h"
#include "bot/process/ticker.h"
#include "bot/process/worker_pool.h"
#include "connectors/http/curl_loop.h"
#include "router/flow/node.h"
#include "router/flow/shelves.h"
#include "store/engine_load.h"

namespace writ::bot {

// What of a node is looked at whenever somebody asks for its figures: how much it has in hand, what
// waits, and what does not work. All of it outlives the metrics' server.
struct Depths {
  const router::UnderWay& under_way;
  WorkerPool& pool;
  WorkerPool& answering;
  const std::optional<Server>& server;
  const Streams& streams;
  const connectors::CurlLoop& http;
  const connectors::CurlLoop& models_http;
  const connectors::CurlLoop& memberships_http;
  const Ticker& ticker;
  const router::Shelves& shelves;
  store::LoadedEngine* loaded;  // nullptr: it is in memory
  std::size_t most_connections;
  std::optional<std::uint64_t> most_store_bytes;
};

void WatchDepths(Metrics& metrics, const Depths& depths);

}  // namespace writ::bot
