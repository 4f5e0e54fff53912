#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace writ::bot {

// A value that must not be seen. Nothing prints it and nothing compares it; whoever needs the text
// says so with Reveal().
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& Reveal() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

// Where the secrets come from that the configuration only names. nullopt: there is none of that
// name, or it can't be read.
struct SecretSource {
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::function<std::optional<std::string>(const std::string& path)> file;
};

// The process's own environment and files. Reads the environment: before any thread is started.
[[nodiscard]] SecretSource ProcessSecrets();

// The whole file, or nullopt where it can't be read.
[[nodiscard]] std::optional<std::string> ReadWholeFile(const std::string& path);

}  // namespace writ::bot
