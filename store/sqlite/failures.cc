#include "store/sqlite/failures.h"

#include <sqlite3.h>

namespace writ::store {

using router::Failure;

namespace {

// Before SQLite's own words, where they would not tell somebody what to do.
std::string Advice(int code) {
  switch (code) {
    case SQLITE_FULL:
      return "the disk is full: ";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "the file is damaged or is no database; restore it from a backup: ";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "the file or its folder cannot be written: ";
    default:
      return "";
  }
}

bool IsTransient(int code) {
  return code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_FULL ||
         code == SQLITE_IOERR || code == SQLITE_NOMEM || code == SQLITE_PROTOCOL ||
         code == SQLITE_INTERRUPT;
}

}  // namespace

Failure ToFailure(const SQLite::Exception& error, const std::string& path) {
  const int code = error.getErrorCode() & 0xff;  // without what extends it
  return {IsTransient(code) ? Failure::Kind::kTransient : Failure::Kind::kPermanent,
          "store " + path + ": " + Advice(code) + error.what() + " (" +
              std::to_string(error.getExtendedErrorCode()) + ")"};
}

Failure ToFailureInUse(const SQLite::Exception& error, const std::string& path) {
  if ((error.getErrorCode() & 0xff) != SQLITE_CANTOPEN) return ToFailure(error, path);
  return {Failure::Kind::kTransient, "store " + path +
                                         ": no more files can be opened: " + error.what() + " (" +
                                         std::to_string(error.getExtendedErrorCode()) + ")"};
}

}  // namespace writ::store
