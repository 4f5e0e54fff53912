#include "connectors/http/form.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::connectors {

TEST(Form, FieldsAreDecodedInOrderEmptyAndRepeatedOnesToo) {
  const auto fields = ParseForm("Body=50%25+%2B+tax+%26+tips&a=&a=2&b&%C3%A9=%F0%9F%99%8F");
  ASSERT_TRUE(fields);
  EXPECT_EQ(
      *fields,
      (FormFields{{"Body", "50% + tax & tips"}, {"a", ""}, {"a", "2"}, {"b", ""}, {"é", "🙏"}}));
  EXPECT_EQ(*FindField(*fields, "a"), "");
  EXPECT_EQ(FindField(*fields, "c"), nullptr);
  EXPECT_EQ(ParseForm("")->size(), 0U);
}

TEST(Form, ABrokenEscapeIsNoForm) {
  for (const char* broken : {"a=%", "a=%4", "a=%zz", "%+1=b", "a=%-1"}) {
    EXPECT_FALSE(ParseForm(broken)) << broken;
  }
}

TEST(Form, WhatIsWrittenIsReadBack) {
  const FormFields fields{{"text", "a & b = c + d % é\n"}, {"empty", ""}};
  EXPECT_EQ(ParseForm(FormBody(fields)), fields);
}

}  // namespace writ::connectors
