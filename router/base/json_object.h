#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace writ::router {

class Json;
struct JsonMember;

// The members of a JSON object in the order they came, none twice. Whoever sends a body chooses how
// many members it has, so finding one and adding one stay fast however many there are. Members are
// changed through Find() and Set() alone: their keys are what the index is sorted by.
class JsonObject {
 public:
  using const_iterator = std::vector<JsonMember>::const_iterator;

  // Not here but where JsonMember is complete: clang looks into the vector at once.
  JsonObject();
  JsonObject(const JsonObject& other);
  JsonObject(JsonObject&& other) noexcept;
  JsonObject& operator=(const JsonObject& other);
  JsonObject& operator=(JsonObject&& other) noexcept;
  ~JsonObject();
  // nullopt where a key is repeated.
  [[nodiscard]] static std::optional<JsonObject> FromMembers(std::vector<JsonMember> members);

  [[nodiscard]] const_iterator begin() const;
  [[nodiscard]] const_iterator end() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const;

  // The member's value, or nullptr.
  [[nodiscard]] const Json* Find(std::string_view key) const;
  [[nodiscard]] Json* Find(std::string_view key);
  // Replaces the member's value or appends the member.
  void Set(std::string_view key, Json value);

 private:
  // In an object of more than kScanned members index_ holds every position, in sorted runs: one run
  // for each bit of the index's size that is set, the longest first. A member appended is a run of
  // one, and equal runs become one, as digits carry.
  static constexpr std::size_t kScanned = 16;

  [[nodiscard]] std::optional<std::size_t> PositionOf(std::string_view key) const;
  [[nodiscard]] bool InOrder(std::uint32_t left, std::uint32_t right) const;
  void Index();

  std::vector<JsonMember> members_;
  std::vector<std::uint32_t> index_;
};

}  // namespace writ::router
