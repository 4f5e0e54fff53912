#pragma once

#include <span>
#include <string>
#include <string_view>

#include "store/postgres/connection.h"

namespace writ::store {

// The schema's steps, in order: migrations/0001_*.sql and on. A step that was released is never
// edited: the next one mends it. Old and new nodes run side by side for one release, so a step
// leaves what the release before it reads and writes as it is.
[[nodiscard]] std::span<const std::string_view> PostgresMigrations();

// Brings `schema` to the newest step, making it where it is not there. One node at a time does so,
// the others wait; `connection` must be used for nothing else.
//
// throws  Failure{kPermanent} where the schema is another program's or of a program too new for
//         this one, or the user may not make it
void MigratePostgres(PostgresConnection& connection, const std::string& schema);

}  // namespace writ::store
