#include <nlohmann/json.hpp>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/base/json.h"

namespace writ::router {
namespace {

// The lexer converts each number by itself and refuses what overflows. As a long double even the
// largest integer that we take doesn't; what isn't finite as a double is then ours to refuse.
static_assert(std::numeric_limits<long double>::max_exponent10 > 4300);
using Reader = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t,
                                    std::uint64_t, long double>;

// Builds a Json from the reader's events. Returning false ends the reading.
class Builder {
 public:
  explicit Builder(JsonLimits limits) : limits_(limits) {}

  bool null() { return Take(Json()); }
  bool boolean(bool value) { return Take(Json(value)); }
  bool number_integer(std::int64_t value) { return Take(Json(value)); }
  bool number_unsigned(std::uint64_t value) { return Take(Json::Number(std::to_string(value))); }
  // Also what is an integer beyond 64 bit.
  bool number_float(long double /*value*/, const std::string& text) {
    auto canonical = CanonicalNumber(text);
    if (!canonical) return RefuseNumber();
    return Take(Json::Number(std::move(*canonical)));
  }
  bool string(std::string& value) { return Take(Json(std::move(value))); }
  bool binary(Reader::binary_t& /*value*/) { return Refuse("binary data is no JSON"); }
  bool key(std::string& value) {
    open_.back().members.push_back({std::move(value), Json()});
    return true;
  }
  bool start_object(std::size_t /*size*/) { return Open(true); }
  bool start_array(std::size_t /*size*/) { return Open(false); }
  bool end_object() {
    auto object = JsonObject::FromMembers(std::move(open_.back().members));
    if (!object) return Refuse("a key is repeated");
    open_.pop_back();
    return Take(Json(std::move(*object)));
  }
  bool end_array() {
    Json array(std::move(open_.back().elements));
    open_.pop_back();
    return Take(std::move(array));
  }
  // The exception's own words repeat what was read, which may be a secret.
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) return RefuseNumber();
    return Refuse("not JSON in UTF-8 at byte " + std::to_string(position));
  }

  [[nodiscard]] Json& root() { return root_; }
  [[nodiscard]] std::string& fault() { return fault_; }
  [[nodiscard]] std::optional<std::string>& out_of_range() { return out_of_range_; }

 private:
  struct Container {
    bool is_object;
    Json::Array elements;
    std::vector<JsonMember> members;  // the last one's value may be missing yet
  };

  bool Open(bool is_object) {
    if (open_.size() >= limits_.max_depth) {
      return Refuse("more than " + std::to_string(limits_.max_depth) + " levels");
    }
    open_.push_back({is_object, {}, {}});
    return true;
  }

  bool Take(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_object) {
      open_.back().members.back().value = std::move(value);
    } else {
      open_.back().elements.push_back(std::move(value));
    }
    return true;
  }

  bool Refuse(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

  bool RefuseNumber() {
    out_of_range_ = PointerToNext();
    return Refuse("a number is out of range");
  }

  // The JSON pointer (RFC 6901) of the value that is being read.
  [[nodiscard]] std::string PointerToNext() const {
    std::string pointer;
    for (const Container& container : open_) {
      pointer += '/';
      if (!container.is_object) {
        pointer += std::to_string(container.elements.size());
        continue;
      }
      for (const char c : container.members.back().key) {
        pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      }
    }
    return pointer;
  }

  JsonLimits limits_;
  std::vector<Container> open_;
  Json root_;
  std::string fault_;
  std::optional<std::string> out_of_range_;
};

}  // namespace

JsonParsed ParseJson(std::string_view text, JsonLimits limits) {
  // The reader skips the one and takes the other for the end of the text.
  if (text.starts_with("\xEF\xBB\xBF")) return {std::nullopt, "a byte-order mark"};
  if (text.find('\0') != std::string_view::npos) return {std::nullopt, "a NUL byte"};
  Builder builder(limits);
  if (!Reader::sax_parse(text.begin(), text.end(), &builder)) {
    return {std::nullopt, std::move(builder.fault()), std::move(builder.out_of_range())};
  }
  return {std::move(builder.root()), ""};
}

}  // namespace writ::router
