// Forms, queries and the targets of requests, by both readers that there are.
#include "connectors/http/form.h"

#include <string>

#include "bot/http/target.h"
#include "connectors/http/percent.h"
#include "router/base/text.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

void CheckForm(std::string_view input) {
  const auto fields = connectors::ParseForm(input);
  const auto values = bot::ParseForm(input);
  if (values) {
    Require(fields && *fields == *values, "both readers read the same");
    for (const auto& [name, value] : *values) {
      Require(router::IsUtf8(name) && router::IsUtf8(value), "what a request says is UTF-8");
      Require(value.find('\0') == std::string::npos, "no NUL is let in");
    }
  }
  if (!fields) return;
  const std::string body = connectors::FormBody(*fields);
  const auto again = connectors::ParseForm(body);
  Require(again && *again == *fields, "what is written reads as the same");
  Require(connectors::FormBody(*again) == body, "writing is stable");
}

void CheckTarget(std::string_view input) {
  const auto target = bot::ParseTarget(input);
  if (!target) return;
  Require(!target->segments.empty(), "a path has a segment");
  std::string path;
  for (const std::string& segment : target->segments) {
    path += '/' + connectors::PercentEncode(segment);
  }
  const std::string query = connectors::FormBody(target->query);
  const auto again = bot::ParseTarget(query.empty() ? path : path + '?' + query);
  Require(again && again->segments == target->segments && again->query == target->query,
          "a target that is written anew reads as the same");
}

void Fuzz(std::string_view input) {
  CheckForm(input);
  CheckTarget(input);
  CheckTarget("/" + std::string(input));
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(form, writ::fuzz::Fuzz)
