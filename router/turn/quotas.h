#pragma once

#include <cstddef>
#include <optional>

namespace writ::router {

// How much of something an app may have at a time (`quotas`); nullopt: as much as there is room
// for. They are no locks: commits that run side by side may each take the last place.
struct AppQuotas {
  std::optional<std::size_t> sessions;         // that are open
  std::optional<std::size_t> queued_commands;  // in all of its conversations
  std::optional<std::size_t> held_calls;
  std::optional<std::size_t> streams;  // of a node
};

}  // namespace writ::router
