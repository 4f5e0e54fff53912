// docs/openapi.json against the sources of the routes and of the problem codes.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/json.h"

namespace writ::bot {
namespace {

using router::Json;

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text of the string literal that begins right behind `begin`.
std::string LiteralFrom(std::string_view source, std::size_t begin) {
  return std::string(source.substr(begin, source.find('"', begin) - begin));
}

// The second argument of a `routes.Add(`: a literal, or a constant of the file.
std::string PatternAt(std::string_view source, std::size_t at) {
  while (std::isspace(static_cast<unsigned char>(source[at])) != 0) ++at;
  if (source[at] == '"') return LiteralFrom(source, at + 1);
  const std::string name(source.substr(at, source.find(',', at) - at));
  const std::string definition = name + " = \"";
  const std::size_t defined = source.find(definition);
  return defined == std::string_view::npos ? name
                                           : LiteralFrom(source, defined + definition.size());
}

// "POST /v1/hooks/{app}", for each route that a file of bot/routes adds.
std::multiset<std::string> AddedRoutes() {
  constexpr std::string_view kAdd = "routes.Add(\"";
  std::multiset<std::string> routes;
  for (const auto& entry : std::filesystem::directory_iterator("bot/routes")) {
    if (entry.path().extension() != ".cc") continue;
    const std::string source = ReadFile(entry.path());
    for (std::size_t at = source.find(kAdd); at != std::string::npos; at = source.find(kAdd, at)) {
      at += kAdd.size();
      const std::string method = LiteralFrom(source, at);
      at += method.size() + 2;  // and `",`
      routes.insert(method + " " + PatternAt(source, at));
    }
  }
  return routes;
}

// The status of each code, from rows like `{401, "bad_token", …}`.
std::map<std::string, std::string> StatusOfCodes() {
  const std::string source = ReadFile("bot/http/problem.cc");
  constexpr std::string_view kRow = "return {";
  std::map<std::string, std::string> statuses;
  for (std::size_t at = source.find(kRow); at != std::string::npos; at = source.find(kRow, at)) {
    at += kRow.size();
    statuses.emplace(LiteralFrom(source, source.find('"', at) + 1), source.substr(at, 3));
  }
  return statuses;
}

class Openapi : public testing::Test {
 protected:
  Openapi() {
    router::JsonParsed parsed = router::ParseJson(ReadFile("docs/openapi.json"));
    EXPECT_TRUE(parsed.value) << parsed.fault;
    if (parsed.value) document_ = *std::move(parsed.value);
  }

  // What `#/components/…` names; `null` where nothing is there.
  const Json& At(std::string_view reference) const {
    const Json* at = &document_;
    std::size_t begin = reference.find('/');
    while (at != nullptr && begin != std::string_view::npos) {
      const std::size_t end = reference.find('/', begin + 1);
      at = at->Find(reference.substr(begin + 1, end - begin - 1));
      begin = end;
    }
    return at != nullptr ? *at : nothing_;
  }

  const Json& Resolved(const Json& value) const {
    const auto reference = value.StringAt("$ref");
    return reference ? At(*reference) : value;
  }

  std::multiset<std::string> DescribedRoutes() const {
    std::multiset<std::string> routes;
    for (const auto& path : At("#/paths").object()) {
      for (const auto& operation : path.value.object()) {
        std::string method = operation.key;
        for (char& c : method) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        routes.insert(method + " " + path.key);
      }
    }
    return routes;
  }

  // The codes that a response's schema names, beside the whole list that all problems share.
  static std::vector<std::string> CodesOf(const Json& value) {
    std::vector<std::string> codes;
    if (value.IsArray()) {
      for (const Json& element : value.array()) Append(codes, CodesOf(element));
    }
    if (!value.IsObject()) return codes;
    for (const auto& member : value.object()) {
      if (member.key == "code" && member.value.IsObject()) {
        if (const auto one = member.value.StringAt("const")) codes.push_back(*one);
        if (const Json* some = member.value.Find("enum")) {
          for (const Json& code : some->array()) codes.push_back(code.string());
        }
      } else {
        Append(codes, CodesOf(member.value));
      }
    }
    return codes;
  }

  void ExpectEachReferenceNamesSomething(const Json& value) const {
    if (value.IsArray()) {
      for (const Json& element : value.array()) ExpectEachReferenceNamesSomething(element);
    }
    if (!value.IsObject()) return;
    if (const auto reference = value.StringAt("$ref")) {
      EXPECT_FALSE(At(*reference).IsNull()) << *reference;
    }
    for (const auto& member : value.object()) ExpectEachReferenceNamesSomething(member.value);
  }

  Json document_;

 private:
  const Json nothing_;

  static void Append(std::vector<std::string>& codes, const std::vector<std::string>& more) {
    codes.insert(codes.end(), more.begin(), more.end());
  }
};

TEST_F(Openapi, DescribesEachRouteOnceAndNothingElse) {
  ASSERT_GT(AddedRoutes().size(), 10U);
  EXPECT_EQ(DescribedRoutes(), AddedRoutes());
}

TEST_F(Openapi, DescribesEachParameterOfAPath) {
  for (const auto& path : At("#/paths").object()) {
    for (const auto& operation : path.value.object()) {
      std::set<std::string> described;
      const Json::Array none;
      const Json* parameters = operation.value.Find("parameters");
      for (const Json& parameter : parameters != nullptr ? parameters->array() : none) {
        const Json& resolved = Resolved(parameter);
        if (resolved.TextAt("in") == "path") described.insert(resolved.TextAt("name"));
      }
      std::set<std::string> in_path;
      for (std::size_t at = path.key.find('{'); at != std::string::npos;
           at = path.key.find('{', at + 1)) {
        in_path.insert(path.key.substr(at + 1, path.key.find('}', at) - at - 1));
      }
      EXPECT_EQ(described, in_path) << operation.key << ' ' << path.key;
    }
  }
}

TEST_F(Openapi, ListsEachProblemCodeAndNothingElse) {
  std::multiset<std::string> known;
  for (const auto& [code, status] : StatusOfCodes()) known.insert(code);
  ASSERT_GT(known.size(), 20U);
  std::multiset<std::string> listed;
  for (const Json& code : At("#/components/schemas/Problem/properties/code/enum").array()) {
    listed.insert(code.string());
  }
  EXPECT_EQ(listed, known);
}

TEST_F(Openapi, NamesACodeUnderItsOwnStatusAlone) {
  const auto statuses = StatusOfCodes();
  for (const auto& path : At("#/paths").object()) {
    for (const auto& operation : path.value.object()) {
      for (const auto& response : operation.value.Find("responses")->object()) {
        for (const std::string& code : CodesOf(Resolved(response.value))) {
          const auto found = statuses.find(code);
          EXPECT_EQ(found == statuses.end() ? "no such code" : found->second, response.key)
              << operation.key << ' ' << path.key << ' ' << code;
        }
      }
    }
  }
}

TEST_F(Openapi, HasNoReferenceToNothing) { ExpectEachReferenceNamesSomething(document_); }

}  // namespace
}  // namespace writ::bot
