#include "router/tool/show_arguments.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "router/tool/schema/pointer.h"
#include "router/tool/schema/secrets.h"
#include "router/tool/shown_text.h"

namespace writ::router {
namespace {

constexpr std::string_view kHidden = "•••";
constexpr std::size_t kLongestScalar = 1000;
// Each line repeats its whole path, so hostile arguments of a megabyte could make gigabytes.
constexpr std::size_t kMostText = 200'000;

using Tokens = std::vector<std::string>;

Tokens TokensOf(std::string_view pointer) {
  Tokens tokens;
  if (pointer.starts_with('/')) pointer.remove_prefix(1);
  while (true) {
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    tokens.push_back(schema::UnescapeToken(pointer.substr(0, end)));
    if (end == pointer.size()) return tokens;
    pointer.remove_prefix(end + 1);
  }
}

class Rendering {
 public:
  Rendering(std::set<std::string> secrets, const std::vector<std::string>& redact)
      : secrets_(std::move(secrets)) {
    for (const std::string& pointer : redact) {
      if (pointer.empty()) secrets_.insert("");
      patterns_.push_back(TokensOf(pointer));
    }
  }

  ShownArguments Run(const Json& arguments) {
    Walk(arguments);
    return std::move(shown_);
  }

 private:
  void Walk(const Json& value) {
    if (shown_.text.size() > kMostText) {
      if (!full_) shown_.text += "\n…";
      full_ = shown_.cut = true;
    } else if (IsHidden()) {
      Line(kHidden);
    } else if (value.IsObject() && !value.object().empty()) {
      WalkMembers(value.object());
    } else if (value.IsArray() && !value.array().empty()) {
      WalkElements(value.array());
    } else {
      ShownText scalar = ShownValue(value, kLongestScalar);
      Line(scalar.text);
      shown_.cut = shown_.cut || scalar.cut;
    }
  }

  void WalkMembers(const Json::Object& object) {
    std::vector<const JsonMember*> members;
    for (const JsonMember& member : object) members.push_back(&member);
    std::ranges::sort(members, {}, &JsonMember::key);
    for (const JsonMember* member : members) {
      Enter(member->key, member->value, [&] { AppendKey(path_, member->key); });
    }
  }

  void WalkElements(const Json::Array& array) {
    for (std::size_t i = 0; i < array.size() && !full_; ++i) {
      Enter(std::to_string(i), array[i], [&] { AppendIndex(path_, i); });
    }
  }

  template <class Append>
  void Enter(const std::string& token, const Json& value, const Append& append) {
    if (full_) return;
    const std::size_t path = path_.size();
    const std::size_t pointer = pointer_.size();
    append();
    pointer_ += '/' + schema::EscapeToken(token);
    tokens_.push_back(token);
    Walk(value);
    tokens_.pop_back();
    pointer_.resize(pointer);
    path_.resize(path);
  }

  [[nodiscard]] bool IsHidden() const {
    if (secrets_.contains(pointer_)) return true;
    return std::ranges::any_of(patterns_, [&](const Tokens& pattern) {
      return std::ranges::equal(pattern, tokens_, [](const auto& wanted, const auto& token) {
        return wanted == "*" || wanted == token;
      });
    });
  }

  void Line(std::string_view value) {
    if (!shown_.text.empty()) shown_.text += '\n';
    if (path_.empty()) {
      shown_.text += value;
    } else {
      shown_.text.append(path_).append(": ").append(value);
    }
  }

  std::set<std::string> secrets_;
  std::vector<Tokens> patterns_;
  Tokens tokens_;        // of the value that is looked at,
  std::string pointer_;  // the same as a JSON pointer,
  std::string path_;     // and as it is shown
  ShownArguments shown_;
  bool full_ = false;
};

}  // namespace

ShownArguments ShowArgumentsOf(const Binding& binding, const ShelvedTool& tool,
                               const Json& arguments) {
  switch (binding.show_arguments) {
    case ShowArguments::kNone:
      return {};
    case ShowArguments::kAll:
      return Rendering({}, {}).Run(arguments);
    case ShowArguments::kRedacted:
      break;
  }
  // Without a schema nobody can say what is secret.
  std::set<std::string> secrets{""};
  if (tool.schema) secrets = SecretPointers(*tool.schema, arguments);
  return Rendering(std::move(secrets), binding.redact).Run(arguments);
}

}  // namespace writ::router
