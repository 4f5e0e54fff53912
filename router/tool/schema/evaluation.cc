#include "router/tool/schema/evaluation.h"

#include <optional>
#include <utility>
#include <vector>

#include "router/base/text.h"
#include "router/tool/schema/pointer.h"

namespace writ::router::schema {
namespace {

constexpr std::size_t kMaxDetail = 200;  // bytes of a schema's own text in a fault

std::size_t SizeOf(const Json& value) {
  if (value.IsArray()) {
    return value.array().size();
  }
  return value.IsObject() ? value.object().size() : 0;
}

void Merge(const Evaluated& own, Truth result, Evaluated& into) {
  if (result == Truth::kFalse) {
    return;
  }
  if (result == Truth::kUnknown || own.uncertain) {
    into.uncertain = true;
  }
  for (std::size_t i = 0; result == Truth::kTrue && i < own.marks.size(); ++i) {
    into.marks[i] = into.marks[i] || own.marks[i];
  }
}

}  // namespace

SchemaVerdict Evaluation::Run(const Json& data) {
  const Truth result = Apply(0, Place{data}, nullptr);
  if (spent_ || result == Truth::kUnknown) {
    return {SchemaVerdict::Kind::kCannotJudge, {}, std::move(verdict_.reason)};
  }
  if (result == Truth::kTrue) {
    return {SchemaVerdict::Kind::kValid, {}, {}};
  }
  return {SchemaVerdict::Kind::kInvalid, std::move(verdict_.faults), {}};
}

Truth Evaluation::Apply(NodeId id, const Place& place, Evaluated* seen) {
  const std::size_t depth = top_ == nullptr ? 1 : top_->depth + 1;
  if (!Spend(1)) {
    return Truth::kUnknown;
  }
  if (depth > program_.options.max_depth) {
    return CannotJudge("the schemas lie too deep within each other");
  }
  const Node& node = program_.nodes[id];
  if (node.boolean) {
    return *node.boolean ? Truth::kTrue : Refuse(place, "is not allowed here");
  }
  if (GoesRound(id, &place.value)) {
    return CannotJudge("the schema refers to itself without end");
  }
  const Frame frame{id, &place.value, top_, depth};
  top_ = &frame;
  std::optional<Evaluated> own;
  if (seen != nullptr || node.asks_unevaluated) {
    const std::size_t size = SizeOf(place.value);
    (void)Spend(size / 8);
    own.emplace(Evaluated{std::vector<bool>(size), false});
  }
  const Truth result = spent_ ? Truth::kUnknown : JudgeAll(node, place, own ? &*own : nullptr);
  if (seen != nullptr) {
    Merge(*own, result, *seen);
  }
  top_ = frame.outer;
  return result;
}

Truth Evaluation::JudgeAll(const Node& node, const Place& place, Evaluated* own) {
  Truth result = Truth::kTrue;
  for (const auto& keyword : node.keywords) {
    result = And(result, keyword->Judge(*this, place, own));
    if (spent_) {
      return Truth::kUnknown;
    }
    if (result == Truth::kFalse &&
        (quiet_ > 0 || verdict_.faults.size() >= program_.options.max_faults)) {
      break;
    }
  }
  return result;
}

Truth Evaluation::Try(NodeId node, const Place& place, Evaluated* seen) {
  ++quiet_;
  const Truth result = Apply(node, place, seen);
  --quiet_;
  return result;
}

bool Evaluation::Spend(std::size_t steps) {
  if (spent_ || steps > program_.options.max_steps - steps_) {
    spent_ = true;
    verdict_.reason = "the schema takes too many steps on this data";
    return false;
  }
  steps_ += steps;
  return true;
}

Truth Evaluation::Refuse(const Place& place, std::string_view rule, std::string_view detail) {
  if (quiet_ > 0 || verdict_.faults.size() >= program_.options.max_faults) {
    return Truth::kFalse;
  }
  std::string text(rule);
  if (!detail.empty()) {
    const std::string_view shown = CutAtCharacter(detail, kMaxDetail);
    ((text += ' ') += shown) += shown.size() < detail.size() ? "…" : "";
  }
  verdict_.faults.push_back({PointerTo(place), std::move(text)});
  return Truth::kFalse;
}

Truth Evaluation::CannotJudge(std::string_view reason) {
  if (verdict_.reason.empty()) {
    verdict_.reason = reason;
  }
  return Truth::kUnknown;
}

// A schema that is reached again for the same value, with no step into the value between, will be
// reached for ever.
bool Evaluation::GoesRound(NodeId node, const Json* value) {
  std::size_t walked = 0;
  bool found = false;
  for (const Frame* frame = top_; frame != nullptr && frame->value == value && !found;
       frame = frame->outer) {
    found = frame->node == node;
    ++walked;
  }
  return !Spend(walked / 8) || found;
}

NodeId Evaluation::DynamicTarget(std::string_view anchor, NodeId otherwise) {
  NodeId target = otherwise;
  std::size_t walked = 0;
  for (const Frame* frame = top_; frame != nullptr; frame = frame->outer, ++walked) {
    const AnchorTargets& anchors = program_.dynamic_anchors[program_.nodes[frame->node].resource];
    if (const auto found = anchors.find(anchor); found != anchors.end()) {
      target = found->second;  // the last one found is the outermost
    }
  }
  (void)Spend(walked / 8);
  return target;
}

}  // namespace writ::router::schema
