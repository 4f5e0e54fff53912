#include "bot/config/secret.h"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>

namespace writ::bot {

std::optional<std::string> ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) {
    return std::nullopt;
  }
  std::string text;
  std::array<char, 4096> part{};
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) {  // a folder opens and can't be read
    return std::nullopt;
  }
  return text;
}

SecretSource ProcessSecrets() {
  return {[](const std::string& name) -> std::optional<std::string> {
            const char* value = std::getenv(name.c_str());
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
          },
          ReadWholeFile};
}

}  // namespace writ::bot
