#include "store/sqlite/migrations.h"

#include <gtest/gtest.h>

#include <string>

#include "store/sqlite/opening.h"
#include "tests/store/sqlite/temporary_folder.h"

namespace writ::store {

namespace {

std::string SchemaOf(Connection& connection) {
  std::string schema;
  SQLite::Statement statement(connection.database(),
                              "SELECT name, sql FROM sqlite_schema ORDER BY name");
  while (statement.executeStep()) {
    schema += statement.getColumn(0).getString() + ": " + statement.getColumn(1).getString() + "\n";
  }
  return schema;
}

TEST(Migrations, ANewFileHasTheNewestSchema) {
  const TemporaryFolder folder;
  const auto connection = OpenForWriting(folder.File("writ.db"));
  EXPECT_EQ(connection->Number("PRAGMA user_version"),
            static_cast<std::int64_t>(Migrations().size()));
  EXPECT_EQ(connection->Number("SELECT count(*) FROM pragma_integrity_check"
                               " WHERE integrity_check <> 'ok'"),
            0);
}

TEST(Migrations, EachOlderFileComesToTheSameSchema) {
  const TemporaryFolder folder;
  const std::string newest = SchemaOf(*OpenForWriting(folder.File("newest.db")));
  for (std::size_t version = 1; version <= Migrations().size(); ++version) {
    const std::string path = folder.File(std::to_string(version) + ".db");
    {
      SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      for (std::size_t i = 0; i < version; ++i) database.exec(std::string(Migrations()[i]));
      database.exec("PRAGMA application_id = 0x57726974");
      database.exec("PRAGMA user_version = " + std::to_string(version));
    }
    EXPECT_EQ(SchemaOf(*OpenForWriting(path)), newest) << version;
  }
}

TEST(Migrations, EachTableIsStrict) {
  const TemporaryFolder folder;
  const auto connection = OpenForWriting(folder.File("writ.db"));
  EXPECT_GT(connection->Number("SELECT count(*) FROM pragma_table_list WHERE strict"), 0);
  EXPECT_EQ(connection->Number("SELECT count(*) FROM pragma_table_list"
                               " WHERE NOT strict AND name NOT LIKE 'sqlite%'"),
            0);
}

}  // namespace

}  // namespace writ::store
