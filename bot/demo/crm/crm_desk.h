#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::bot {

// One thing that the CRM was really asked to do.
struct CrmEntry {
  router::TimePoint at;
  std::string tool;
  router::Json arguments;
  std::string answer;
  bool failed = false;  // the CRM said no
  std::string key;      // the caller's idempotency key, "" where it gave none
};

// The demo's outside system: a few orders whose money can be given back, and a log of everything
// that ran. Shared by all threads.
class CrmDesk {
 public:
  explicit CrmDesk(const router::Clock& clock);  // outlives this

  // The tools as MCP lists them.
  [[nodiscard]] static router::Json Tools();
  [[nodiscard]] static bool HasTool(std::string_view tool);

  // Runs one of the tools and writes it down. The same key again answers what it answered, and
  // nothing runs.
  CrmEntry Run(const std::string& tool, const router::Json& arguments, const std::string& key);

  [[nodiscard]] std::vector<CrmEntry> Log() const;  // oldest first
  [[nodiscard]] std::size_t CountOf(std::string_view tool) const;

 private:
  struct Order {
    std::string what;
    std::int64_t cents = 0;     // what was paid
    std::int64_t refunded = 0;  // of that, in cents
  };
  struct Reply {
    std::string text;
    bool failed = false;
  };

  [[nodiscard]] Reply LookUpLocked(const std::string& order_id) const;
  Reply RefundLocked(const std::string& order_id, const router::Json* amount);

  const router::Clock& clock_;
  mutable std::mutex mutex_;             // guards all below
  std::map<std::string, Order> orders_;  // by id
  std::vector<CrmEntry> log_;
};

}  // namespace writ::bot
