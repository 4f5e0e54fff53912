#include "store/sqlite/read_connections.h"

#include <utility>

#include "store/sqlite/failures.h"
#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

// Ends the read however its work ends.
class ReadTransaction {
 public:
  explicit ReadTransaction(Connection& connection) : connection_(connection) {
    connection_.Run("BEGIN");
  }
  ~ReadTransaction() { connection_.database().tryExec("ROLLBACK"); }
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

 private:
  Connection& connection_;
};

}  // namespace

void ReadConnections::Read(const std::function<void(Records&)>& work) {
  try {
    ReadOn(Take(), work);
  } catch (const SQLite::Exception& error) {
    throw ToFailureInUse(error, path_);
  }
}

void ReadConnections::ReadOn(std::unique_ptr<Connection> connection,
                             const std::function<void(Records&)>& work) {
  try {
    const ReadTransaction transaction(*connection);
    SqliteRecords records(*connection, /*writable=*/false);
    work(records);
  } catch (...) {
    GiveBack(std::move(connection));
    throw;
  }
  GiveBack(std::move(connection));
}

std::unique_ptr<Connection> ReadConnections::Take() {
  {
    std::unique_lock lock(mutex_);
    given_back_.wait(lock, [this] { return !free_.empty() || taken_ < max_; });
    ++taken_;
    if (!free_.empty()) {
      std::unique_ptr<Connection> connection = std::move(free_.back());
      free_.pop_back();
      return connection;
    }
  }
  try {
    return std::make_unique<Connection>(path_, Connection::Use::kRead);
  } catch (...) {
    GiveBack(nullptr);
    throw;
  }
}

void ReadConnections::GiveBack(std::unique_ptr<Connection> connection) {
  {
    const std::lock_guard lock(mutex_);
    --taken_;
    if (connection) free_.push_back(std::move(connection));
  }
  given_back_.notify_one();
}

}  // namespace writ::store
