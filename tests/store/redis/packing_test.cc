#include "store/redis/packing.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

#include "router/base/failure.h"

namespace writ::store {
namespace {

using router::TimePoint;

TEST(PackedRows, ComeBackAsTheyWere) {
  const std::string bytes("a\0b:\xff 3:\n", 9);
  const TimePoint time{std::chrono::microseconds(-5)};
  const std::string text = PackedRow()
                               .Add(bytes)
                               .Add(std::string())
                               .Add(std::numeric_limits<std::int64_t>::min())
                               .Add(true)
                               .Add(time)
                               .Add(std::optional<TimePoint>())
                               .Add(std::optional(time))
                               .text();
  UnpackedRow row(text);
  EXPECT_EQ(row.Text(), bytes);
  EXPECT_EQ(row.Text(), "");
  EXPECT_EQ(row.Int(), std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(row.Bool());
  EXPECT_EQ(row.Time(), time);
  EXPECT_EQ(row.OptionalTime(), std::nullopt);
  EXPECT_EQ(row.OptionalTime(), time);
}

TEST(PackedRows, OfAnOlderProgramHaveTheirLastFieldsEmpty) {
  UnpackedRow row("1:a");
  EXPECT_EQ(row.Text(), "a");
  EXPECT_EQ(row.Text(), "");
  EXPECT_EQ(row.Int(), 0);
  EXPECT_EQ(row.OptionalTime(), std::nullopt);
}

TEST(PackedRows, ThatAreNoneAreRefused) {
  for (const char* text : {"a", "5:abc", "1", "1abc", "-1:a", "99999999999999999999999:a"}) {
    EXPECT_THROW((void)UnpackedRow(text).Text(), router::Failure) << text;
  }
  EXPECT_THROW((void)UnpackedRow("2:1x").Int(), router::Failure);
  EXPECT_THROW((void)UnpackedRow("1:x").OptionalTime(), router::Failure);
}

}  // namespace
}  // namespace writ::store
