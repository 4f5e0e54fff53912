#include "store/postgres/failures.h"

#include <string_view>

namespace writ::store {

using router::Failure;

namespace {

// SQLSTATE begins with its class: appendix A of PostgreSQL's manual.
bool IsOfClass(const std::string& sqlstate, std::string_view wanted) {
  return std::string_view(sqlstate).substr(0, 2) == wanted;
}

bool IsTransient(const PostgresError& error) {
  const std::string& sqlstate = error.sqlstate();
  return error.IsConflict() || EndsConnection(sqlstate) ||
         IsOfClass(sqlstate, "53") ||  // no room: memory, disk, connections
         IsOfClass(sqlstate, "57") ||  // an operator, or the statement's timeout
         IsOfClass(sqlstate, "58") ||  // the server's own system
         sqlstate == "25006";          // a standby, until it or another one is the primary
}

}  // namespace

bool PostgresError::IsConflict() const {
  return sqlstate_ == "40001" || sqlstate_ == "40P01" || sqlstate_ == "55P03";
}

bool EndsConnection(const std::string& sqlstate) {
  return IsOfClass(sqlstate, "08") || sqlstate == "57P01" || sqlstate == "57P02" ||
         sqlstate == "57P03" || sqlstate == "57P05" || sqlstate == "25P03" || sqlstate == "25P04";
}

Failure ToFailure(const PostgresError& error) {
  return {IsTransient(error) ? Failure::Kind::kTransient : Failure::Kind::kPermanent,
          "store postgres: " + std::string(error.what()) + " (" + error.sqlstate() + ")"};
}

Failure ToFailure(const ConnectionLost& lost) {
  return {Failure::Kind::kTransient, "store postgres: " + std::string(lost.what())};
}

}  // namespace writ::store
