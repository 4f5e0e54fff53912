#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/base/json.h"
#include "router/base/json_string.h"

namespace writ::router {
namespace {

// A value takes some hundred bytes and may be written in two: whoever sends a text of megabytes
// must not choose that it becomes a gigabyte. The largest descriptions of an API have half as many.
constexpr std::size_t kMostValues = 1'000'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads RFC 8259's grammar in one pass and without recursion: whoever sends a text chooses how deep
// it is.
class Reader {
 public:
  Reader(std::string_view text, JsonLimits limits) : text_(text), limits_(limits) {
    constexpr std::size_t kFew = 32;
    pending_.reserve(kFew);
  }

  JsonParsed Read() {
    while (next_ != Next::kEndOfText) {
      if (!ReadNext()) return Refusal();
    }
    SkipBlanks();
    if (at_ < text_.size()) {
      RefuseHere();
      return Refusal();
    }
    return {std::move(root_), ""};
  }

 private:
  // What may stand next.
  enum class Next { kValue, kValueOrEnd, kMember, kMemberOrEnd, kCommaOrEnd, kEndOfText };

  struct Container {
    bool is_object;
    std::size_t first;  // of its members or elements in pending_
  };

  [[nodiscard]] JsonParsed Refusal() {
    return {std::nullopt, std::move(fault_), std::move(out_of_range_)};
  }

  // NUL, which is nothing's first character, at the end.
  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void SkipBlanks() {
    for (char c = Peek(); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = Peek()) ++at_;
  }

  bool ReadNext() {
    SkipBlanks();
    const char c = Peek();
    switch (next_) {
      case Next::kValueOrEnd:
        return c == ']' ? Close() : ReadValue(c);
      case Next::kValue:
        return ReadValue(c);
      case Next::kMemberOrEnd:
        return c == '}' ? Close() : ReadKey(c);
      case Next::kMember:
        return ReadKey(c);
      case Next::kCommaOrEnd:
        return ReadCommaOrEnd(c);
      case Next::kEndOfText:
        break;
    }
    return RefuseHere();
  }

  bool ReadValue(char c) {
    switch (c) {
      case '{':
        return Open(true);
      case '[':
        return Open(false);
      case '"':
        return ReadText();
      case 't':
        return ReadWord("true", Json(true));
      case 'f':
        return ReadWord("false", Json(false));
      case 'n':
        return ReadWord("null", Json());
      default:
        return c == '-' || IsDigit(c) ? ReadNumber() : RefuseHere();
    }
  }

  bool ReadKey(char c) {
    if (c != '"') return RefuseHere();
    ++at_;
    auto key = ReadJsonString(text_, at_);
    if (!key) return RefuseHere();
    pending_.push_back({*std::move(key), Json()});
    SkipBlanks();
    if (Peek() != ':') return RefuseHere();
    ++at_;
    next_ = Next::kValue;
    return true;
  }

  bool ReadCommaOrEnd(char c) {
    const bool is_object = open_.back().is_object;
    if (c == (is_object ? '}' : ']')) return Close();
    if (c != ',') return RefuseHere();
    ++at_;
    next_ = is_object ? Next::kMember : Next::kValue;
    return true;
  }

  bool ReadText() {
    ++at_;
    auto text = ReadJsonString(text_, at_);
    return text ? Take(Json(*std::move(text))) : RefuseHere();
  }

  bool ReadWord(std::string_view word, Json&& value) {
    if (!text_.substr(at_).starts_with(word)) return RefuseHere();
    at_ += word.size();
    return Take(std::move(value));
  }

  bool ReadNumber() {
    const std::size_t begin = at_;
    if (Peek() == '-') ++at_;
    if (Peek() == '0') {
      ++at_;
    } else if (!SkipDigits()) {
      return RefuseHere();
    }
    if (Peek() == '.') {
      ++at_;
      if (!SkipDigits()) return RefuseHere();
    }
    if (Peek() == 'e' || Peek() == 'E') {
      ++at_;
      if (Peek() == '+' || Peek() == '-') ++at_;
      if (!SkipDigits()) return RefuseHere();
    }
    auto canonical = CanonicalNumber(text_.substr(begin, at_ - begin));
    if (!canonical) {
      out_of_range_ = PointerToNext();
      return Refuse("a number is out of range");
    }
    return Take(Json::Number(*std::move(canonical)));
  }

  // Whether there are any.
  bool SkipDigits() {
    const std::size_t begin = at_;
    while (IsDigit(Peek())) ++at_;
    return at_ > begin;
  }

  bool Open(bool is_object) {
    if (open_.size() >= limits_.max_depth) {
      return Refuse("more than " + std::to_string(limits_.max_depth) + " levels");
    }
    ++at_;
    open_.push_back({is_object, pending_.size()});
    next_ = is_object ? Next::kMemberOrEnd : Next::kValueOrEnd;
    return true;
  }

  bool Close() {
    ++at_;
    const Container closed = open_.back();
    open_.pop_back();
    const auto begin = pending_.begin() + static_cast<std::ptrdiff_t>(closed.first);
    if (!closed.is_object) {
      Json::Array elements;
      elements.reserve(pending_.size() - closed.first);
      for (auto one = begin; one != pending_.end(); ++one) {
        elements.push_back(std::move(one->value));
      }
      pending_.erase(begin, pending_.end());
      return Take(Json(std::move(elements)));
    }
    auto object = JsonObject::FromMembers(
        {std::make_move_iterator(begin), std::make_move_iterator(pending_.end())});
    pending_.erase(begin, pending_.end());
    return object ? Take(Json(*std::move(object))) : Refuse("a key is repeated");
  }

  bool Take(Json&& value) {
    if (++values_ > kMostValues) {
      return Refuse("more than " + std::to_string(kMostValues) + " values");
    }
    if (open_.empty()) {
      root_ = std::move(value);
      next_ = Next::kEndOfText;
      return true;
    }
    if (open_.back().is_object) {
      pending_.back().value = std::move(value);
    } else {
      pending_.push_back({std::string(), std::move(value)});
    }
    next_ = Next::kCommaOrEnd;
    return true;
  }

  bool Refuse(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

  // Without what stands there: it may be a secret.
  bool RefuseHere() { return Refuse("not JSON in UTF-8 at byte " + std::to_string(at_ + 1)); }

  // The JSON pointer (RFC 6901) of the value that is being read.
  [[nodiscard]] std::string PointerToNext() const {
    std::string pointer;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const std::size_t end = i + 1 < open_.size() ? open_[i + 1].first : pending_.size();
      pointer += '/';
      if (!open_[i].is_object) {
        pointer += std::to_string(end - open_[i].first);
        continue;
      }
      for (const char c : pending_[end - 1].key) {
        pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      }
    }
    return pointer;
  }

  const std::string_view text_;
  const JsonLimits limits_;
  std::size_t at_ = 0;
  Next next_ = Next::kValue;
  std::size_t values_ = 0;
  std::vector<Container> open_;
  // What was read of the open containers, the outermost first; of an object's last member the value
  // may be missing yet. Each moves into a place of its size when it is closed.
  std::vector<JsonMember> pending_;
  Json root_;
  std::string fault_;
  std::optional<std::string> out_of_range_;
};

}  // namespace

JsonParsed ParseJson(std::string_view text, JsonLimits limits) {
  if (text.starts_with("\xEF\xBB\xBF")) return {std::nullopt, "a byte-order mark"};
  return Reader(text, limits).Read();
}

}  // namespace writ::router
