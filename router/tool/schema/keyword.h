#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "router/base/json.h"

namespace writ::router::schema {

// Kleene's three values: what cannot be judged stays unknown below `not`, `anyOf` and the rest, and
// never becomes valid by being turned around.
enum class Truth { kFalse, kUnknown, kTrue };

[[nodiscard]] constexpr Truth And(Truth a, Truth b) { return a < b ? a : b; }
[[nodiscard]] constexpr Truth Or(Truth a, Truth b) { return a < b ? b : a; }
[[nodiscard]] constexpr Truth Not(Truth a) {
  return a == Truth::kUnknown ? a : (a == Truth::kTrue ? Truth::kFalse : Truth::kTrue);
}

// Which schema of the document: an index into Program::nodes.
using NodeId = std::size_t;

// Where in the data we are: a chain up to the root, kept on the stack. The pointer's text is made
// only for a fault that is told.
struct Place {
  const Json& value;
  const Place* parent = nullptr;
  std::string_view key = {};  // within an object
  std::size_t index = 0;      // within an array
};

// The members or elements of one value that some keyword has looked at, for unevaluated*.
struct Evaluated {
  std::vector<bool> marks;  // by position
  bool uncertain = false;   // a branch that cannot be judged may have looked at more

  void Mark(std::size_t position) { marks[position] = true; }
  void MarkAll() { marks.assign(marks.size(), true); }
};

// Takes the schemas that a keyword may apply, see Keyword::Visit().
class BranchVisitor {
 public:
  virtual ~BranchVisitor() = default;
  virtual void Here(NodeId node) = 0;                              // to the value itself
  virtual void Member(NodeId node, const JsonMember& member) = 0;  // to a member of it
  virtual void Element(NodeId node, std::size_t index) = 0;        // to an element of it
  // Takes `steps` from the visit's budget; false where it is used up.
  [[nodiscard]] virtual bool Spend(std::size_t steps) = 0;
};

class Evaluation;

// One keyword, or some that belong together, of one schema. Immutable.
class Keyword {
 public:
  virtual ~Keyword() = default;

  // What it says of the value at `place`. `seen` is nullptr where no unevaluated* asks.
  [[nodiscard]] virtual Truth Judge(Evaluation& run, const Place& place, Evaluated* seen) const = 0;

  // Names every schema that it may apply to `value` or to what is in it, whatever its conditions
  // would say. Keywords that apply none have nothing to do.
  virtual void Visit(const Json& value, BranchVisitor& visitor) const {
    (void)value;
    (void)visitor;
  }
};

}  // namespace writ::router::schema
