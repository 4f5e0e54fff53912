#pragma once

#include <span>
#include <string>
#include <string_view>

#include "store/sqlite/connection.h"

namespace writ::store {

// The schema's steps, in order: migrations/0001_*.sql and on. The file's `user_version` is how many
// of them it has been through. A step that was released is never edited: the next one mends it.
[[nodiscard]] std::span<const std::string_view> Migrations();

// throws  Failure{kPermanent} where the file at `path` is of a newer program, or of another one
void MustBeKnown(Connection& connection, const std::string& path);

// Brings the file to the newest schema, each step a transaction of its own.
void Migrate(Connection& connection);

}  // namespace writ::store
