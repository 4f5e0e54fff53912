#include "router/base/json_object.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

#include "router/base/json.h"

namespace writ::router {

JsonObject::JsonObject() = default;
JsonObject::JsonObject(const JsonObject& other) = default;
JsonObject::JsonObject(JsonObject&& other) noexcept = default;
JsonObject& JsonObject::operator=(const JsonObject& other) = default;
JsonObject& JsonObject::operator=(JsonObject&& other) noexcept = default;
JsonObject::~JsonObject() = default;

JsonObject::const_iterator JsonObject::begin() const { return members_.begin(); }
JsonObject::const_iterator JsonObject::end() const { return members_.end(); }
std::size_t JsonObject::size() const { return members_.size(); }
bool JsonObject::empty() const { return members_.empty(); }

std::optional<JsonObject> JsonObject::FromMembers(std::vector<JsonMember> members) {
  JsonObject object;
  object.members_ = std::move(members);
  const auto& kept = object.members_;
  if (kept.size() <= kScanned) {
    for (std::size_t i = 1; i < kept.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (kept[i].key == kept[j].key) return std::nullopt;
      }
    }
    return object;
  }
  object.Index();
  const auto same = [&kept](std::uint32_t left, std::uint32_t right) {
    return kept[left].key == kept[right].key;
  };
  const auto repeated = std::adjacent_find(object.index_.begin(), object.index_.end(), same);
  if (repeated != object.index_.end()) return std::nullopt;
  return object;
}

const Json* JsonObject::Find(std::string_view key) const {
  const auto position = PositionOf(key);
  return position ? &members_[*position].value : nullptr;
}

Json* JsonObject::Find(std::string_view key) {
  const auto position = PositionOf(key);
  return position ? &members_[*position].value : nullptr;
}

void JsonObject::Set(std::string_view key, Json value) {
  if (const auto position = PositionOf(key)) {
    members_[*position].value = std::move(value);
    return;
  }
  members_.push_back({std::string(key), std::move(value)});
  if (members_.size() <= kScanned) return;
  if (index_.empty()) {
    Index();
    return;
  }
  index_.push_back(static_cast<std::uint32_t>(members_.size() - 1));
  const auto run = index_.size() & (~index_.size() + 1);  // its lowest bit
  std::sort(index_.end() - static_cast<std::ptrdiff_t>(run), index_.end(),
            [this](std::uint32_t left, std::uint32_t right) { return InOrder(left, right); });
}

std::optional<std::size_t> JsonObject::PositionOf(std::string_view key) const {
  if (index_.empty()) {
    const auto found = std::find_if(members_.begin(), members_.end(),
                                    [key](const JsonMember& member) { return member.key == key; });
    if (found == members_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - members_.begin());
  }
  auto begin = index_.begin();
  for (auto left = index_.size(); left > 0;) {
    const auto run = std::bit_floor(left);
    const auto end = begin + static_cast<std::ptrdiff_t>(run);
    const auto found = std::lower_bound(begin, end, key, [this](std::uint32_t at, auto wanted) {
      return members_[at].key < wanted;
    });
    if (found != end && members_[*found].key == key) return *found;
    begin = end;
    left -= run;
  }
  return std::nullopt;
}

bool JsonObject::InOrder(std::uint32_t left, std::uint32_t right) const {
  return members_[left].key < members_[right].key;
}

// What is sorted as a whole is sorted in each of its runs.
void JsonObject::Index() {
  index_.resize(members_.size());
  std::iota(index_.begin(), index_.end(), std::uint32_t{0});
  std::sort(index_.begin(), index_.end(),
            [this](std::uint32_t left, std::uint32_t right) { return InOrder(left, right); });
}

}  // namespace writ::router
