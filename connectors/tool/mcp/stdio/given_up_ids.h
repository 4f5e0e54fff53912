#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

namespace writ::connectors {

// The ids of requests that nobody waits for any more, and that may still be answered: a server that
// was told so need not answer, and may never. So only the newest are kept one by one; of the older
// ones the highest, up to which any may be.
class GivenUpIds {
 public:
  static constexpr std::size_t kMost = 256;

  void Add(std::int64_t id) {
    ids_.insert(id);
    if (ids_.size() <= kMost) return;
    any_to_ = std::max(any_to_, *ids_.begin());
    ids_.erase(ids_.begin());
  }
  void Answered(std::int64_t id) { ids_.erase(id); }
  [[nodiscard]] bool MayBeAnswered(std::int64_t id) const {
    return id <= any_to_ || ids_.contains(id);
  }

 private:
  std::set<std::int64_t> ids_;
  std::int64_t any_to_ = 0;  // ids are counted from 1
};

}  // namespace writ::connectors
