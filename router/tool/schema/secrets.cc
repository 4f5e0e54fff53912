#include "router/tool/schema/secrets.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "router/tool/schema/keyword.h"
#include "router/tool/schema/pointer.h"
#include "router/tool/schema/program.h"

namespace writ::router {
namespace {

using schema::NodeId;

// Walks every pair of a schema and a value that may meet, each once. Nothing recurses, so loops of
// references and exponential branches cost no more than their pairs.
class Search : public schema::BranchVisitor {
 public:
  explicit Search(const schema::Program& program) : program_(program) {}

  std::set<std::string> Run(const Json& data) {
    spots_.push_back({&data, 0, {}, 0});
    Reach(0, 0);
    while (!waiting_.empty() && !spent_) {
      const auto [node, spot] = waiting_.back();
      waiting_.pop_back();
      at_ = spot;
      if (program_.nodes[node].secret) {
        found_.insert(spot);
        continue;  // all that is in it is secret with it
      }
      for (const auto& keyword : program_.nodes[node].keywords) {
        keyword->Visit(*spots_[spot].value, *this);
      }
    }
    if (spent_) {
      return {""};
    }
    std::set<std::string> pointers;
    for (const std::size_t spot : found_) {
      pointers.insert(PointerOf(spot));
    }
    return pointers;
  }

  void Here(NodeId node) override { Reach(node, at_); }

  void Member(NodeId node, const JsonMember& member) override {
    Reach(node, SpotOf({&member.value, at_, member.key, 0}));
  }

  void Element(NodeId node, std::size_t index) override {
    Reach(node, SpotOf({&spots_[at_].value->array()[index], at_, {}, index}));
  }

  bool Spend(std::size_t steps) override {
    spent_ = spent_ || steps > program_.options.max_steps - steps_;
    steps_ += spent_ ? 0 : steps;
    return !spent_;
  }

 private:
  // A value of the data, and where it is.
  struct Spot {
    const Json* value;
    std::size_t parent;
    std::string_view key;
    std::size_t index;
  };

  std::size_t SpotOf(const Spot& spot) {
    const auto [found, is_new] = by_value_.emplace(spot.value, spots_.size());
    if (is_new) {
      spots_.push_back(spot);
    }
    return found->second;
  }

  void Reach(NodeId node, std::size_t spot) {
    if (Spend(1) && reached_.insert(std::uint64_t{node} << 32U | spot).second) {
      waiting_.emplace_back(node, spot);
    }
  }

  [[nodiscard]] std::string PointerOf(std::size_t spot) const {
    std::vector<std::size_t> chain;
    for (std::size_t at = spot; at != 0; at = spots_[at].parent) {
      chain.push_back(at);
    }
    std::string pointer;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      const Spot& step = spots_[*at];
      pointer += '/';
      pointer += spots_[step.parent].value->IsArray() ? std::to_string(step.index)
                                                      : schema::EscapeToken(step.key);
    }
    return pointer;
  }

  const schema::Program& program_;
  std::vector<Spot> spots_;
  std::unordered_map<const Json*, std::size_t> by_value_;
  std::unordered_set<std::uint64_t> reached_;
  std::vector<std::pair<NodeId, std::size_t>> waiting_;
  std::set<std::size_t> found_;
  std::size_t at_ = 0;
  std::size_t steps_ = 0;
  bool spent_ = false;
};

}  // namespace

std::set<std::string> SecretPointers(const Schema& schema, const Json& data) {
  return Search(schema.program()).Run(data);
}

}  // namespace writ::router
