#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bot/http/cors.h"
#include "bot/http/request.h"
#include "router/base/log.h"

namespace writ::bot {

using Handler = std::function<Response(const Request&)>;

// Which handler answers which method and path. Filled before the server starts, read by all
// workers afterwards.
class RouteTable {
 public:
  // `log` must outlive the table.
  explicit RouteTable(router::Log& log, CorsRules cors = {});

  // `pattern` is `/v1/approvals/{id}/decision`: a `{name}` stands for one segment that is not
  // empty. The segment is decoded after it was found, so a `%2F` in it stays in it. Where two
  // patterns fit, the one with plain text at the first difference wins.
  //
  // GET answers HEAD as well; OPTIONS is answered by the table. A handler runs on a worker. It may
  // throw: Failure{kTransient} becomes 503 `store_unavailable`, anything else 500.
  void Add(std::string_view method, std::string_view pattern, Handler handler);

  // Whoever counts what is answered: told the method, the route's pattern (never the path) and how
  // long the handler took, on the worker. Set before the server starts; it must not throw.
  using Counted = std::function<void(const std::string& method, const std::string& pattern,
                                     int status, std::chrono::nanoseconds took)>;
  void OnAnswered(Counted counted) { counted_ = std::move(counted); }

  // Never throws. 413 goes before anything else, then 404, then 405 with Allow.
  [[nodiscard]] Response Handle(Request request) const;

 private:
  struct Segment {
    bool is_param = false;
    std::string text;  // the plain text, or the parameter's name
  };
  struct Method {
    std::string name;
    std::string pattern;
    std::vector<Segment> segments;  // the pattern as it was added: its own names
    Handler handler;
  };
  struct Route {
    std::vector<Segment> segments;
    std::vector<Method> methods;
  };

  [[nodiscard]] Response Dispatch(Request& request) const;
  [[nodiscard]] Response Run(const Method& method, const Request& request) const;
  [[nodiscard]] Response RunHandler(const Handler& handler, const Request& request) const;
  [[nodiscard]] const Route* Find(const std::vector<std::string>& path) const;
  static bool GoesBefore(const Route& left, const Route& right);
  static std::vector<Segment> ParsePattern(std::string_view pattern);
  static std::string AllowOf(const Route& route);

  router::Log& log_;
  CorsRules cors_;
  Counted counted_;
  std::vector<Route> routes_;  // in the order in which they are tried
};

}  // namespace writ::bot
