#include "bot/http/route_table.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "bot/http/problem.h"
#include "bot/http/target.h"
#include "router/base/failure.h"

namespace writ::bot {
namespace {

Response Refuse(ProblemCode code, std::string detail) {
  return ToResponse(Problem{code, std::move(detail)});
}

}  // namespace

RouteTable::RouteTable(router::Log& log, CorsRules cors) : log_(log), cors_(std::move(cors)) {}

std::vector<RouteTable::Segment> RouteTable::ParsePattern(std::string_view pattern) {
  const auto parsed = ParseTarget(pattern);
  if (!parsed) throw std::logic_error("not a pattern of a path: " + std::string(pattern));
  std::vector<Segment> segments;
  for (const std::string& text : parsed->segments) {
    const bool is_param = text.size() > 2 && text.front() == '{' && text.back() == '}';
    segments.push_back({is_param, is_param ? text.substr(1, text.size() - 2) : text});
  }
  return segments;
}

bool RouteTable::GoesBefore(const Route& left, const Route& right) {
  return std::lexicographical_compare(
      left.segments.begin(), left.segments.end(), right.segments.begin(), right.segments.end(),
      [](const Segment& a, const Segment& b) { return !a.is_param && b.is_param; });
}

void RouteTable::Add(std::string_view method, std::string_view pattern, Handler handler) {
  std::vector<Segment> segments = ParsePattern(pattern);
  const auto same = [&](const Route& route) {
    return std::equal(route.segments.begin(), route.segments.end(), segments.begin(),
                      segments.end(), [](const Segment& a, const Segment& b) {
                        return a.is_param == b.is_param && (a.is_param || a.text == b.text);
                      });
  };
  auto route = std::find_if(routes_.begin(), routes_.end(), same);
  if (route == routes_.end()) {
    Route added{segments, {}};
    const auto at = std::upper_bound(routes_.begin(), routes_.end(), added, GoesBefore);
    route = routes_.insert(at, std::move(added));
  }
  route->methods.push_back(
      {std::string(method), std::string(pattern), std::move(segments), std::move(handler)});
}

const RouteTable::Route* RouteTable::Find(const std::vector<std::string>& path) const {
  const auto fits = [](const std::string& text, const Segment& segment) {
    return segment.is_param ? !text.empty() : text == segment.text;
  };
  for (const Route& route : routes_) {
    if (std::equal(path.begin(), path.end(), route.segments.begin(), route.segments.end(), fits)) {
      return &route;
    }
  }
  return nullptr;
}

std::string RouteTable::AllowOf(const Route& route) {
  std::string allow;
  for (const Method& method : route.methods) {
    allow += method.name + ", ";
    if (method.name == "GET") allow += "HEAD, ";
  }
  return allow + "OPTIONS";
}

Response RouteTable::RunHandler(const Handler& handler, const Request& request) const {
  try {
    return handler(request);
  } catch (const router::Failure& failure) {
    log_.Error("http.handler_failed", {{"method", request.method}, {"what", failure.what()}});
    return failure.kind() == router::Failure::Kind::kTransient
               ? Refuse(ProblemCode::kStoreUnavailable, "Try again in a moment.")
               : Refuse(ProblemCode::kInternalError, "");
  } catch (const std::exception& error) {
    // Its text was not written by us and may repeat what was sent.
    log_.Error("http.handler_threw", {{"method", request.method}, {"type", typeid(error).name()}});
    return Refuse(ProblemCode::kInternalError, "");
  }
}

Response RouteTable::Run(const Method& method, const Request& request) const {
  const auto began = std::chrono::steady_clock::now();
  Response response = RunHandler(method.handler, request);
  if (counted_) {
    counted_(method.name, method.pattern, response.status,
             std::chrono::steady_clock::now() - began);
  }
  return response;
}

Response RouteTable::Dispatch(Request& request) const {
  if (request.body_too_large) {
    return Refuse(ProblemCode::kBodyTooLarge, "A body may have 1 MiB as it is sent.");
  }
  if (request.method == "OPTIONS" && request.target == "*") return NoContent();
  auto target = ParseTarget(request.target);
  const Route* route = target ? Find(target->segments) : nullptr;
  if (route == nullptr) return Refuse(ProblemCode::kNotFound, "");
  const std::string allow = AllowOf(*route);
  if (IsPreflight(request)) return AnswerPreflight(cors_, request, allow);

  const std::string_view name = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  const auto method = std::find_if(route->methods.begin(), route->methods.end(),
                                   [&](const Method& m) { return m.name == name; });
  if (method == route->methods.end()) {
    Response response = request.method == "OPTIONS"
                            ? NoContent()
                            : Refuse(ProblemCode::kMethodNotAllowed, "Allowed: " + allow + ".");
    response.headers.emplace_back("Allow", allow);
    return response;
  }
  for (std::size_t i = 0; i < method->segments.size(); ++i) {
    const Segment& segment = method->segments[i];
    if (!segment.is_param) continue;
    request.params.emplace_back(segment.text, std::move(target->segments[i]));
  }
  request.query = std::move(target->query);
  return Run(*method, request);
}

Response RouteTable::Handle(Request request) const {
  Response response = Dispatch(request);
  AllowOrigin(cors_, request, response);
  return response;
}

}  // namespace writ::bot
