#pragma once

#include <memory>
#include <string>

#include "store/sqlite/connection.h"

namespace writ::store {

// Opens the file for writing, making it where it is not there (readable by its owner alone), and
// brings it to the newest schema. The caller has its FileLock.
//
// The look for damage is a short one, so that a start takes the same time whatever the file holds:
// its size, its schema and the first page of each table. Damage further in is found when it is
// read; it is an error then, never a wrong answer.
//
// throws  SQLite::Exception, and Failure{kPermanent} where the file is damaged, cannot be written,
//         is another program's or of a newer program
[[nodiscard]] std::unique_ptr<Connection> OpenForWriting(const std::string& path);

}  // namespace writ::store
