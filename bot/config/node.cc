#include "bot/config/node.h"

#include <cmath>
#include <optional>

#include "router/tool/schema/pointer.h"

namespace writ::bot {

using router::Json;

Node Node::operator[](std::string_view key) const {
  return {*reading_, exists() ? value_->Find(key) : nullptr,
          pointer_ + '/' + router::schema::EscapeToken(key)};
}

std::vector<Node> Node::Items() const {
  std::vector<Node> items;
  if (exists()) {
    for (const Json& item : value_->array()) {
      items.emplace_back(*reading_, &item, pointer_ + '/' + std::to_string(items.size()));
    }
  }
  return items;
}

std::vector<std::string> Node::Keys() const {
  std::vector<std::string> keys;
  if (exists()) {
    for (const auto& member : value_->object()) {
      keys.push_back(member.key);
    }
  }
  return keys;
}

std::string Node::Text(std::string_view otherwise) const {
  return exists() ? value_->string() : std::string(otherwise);
}

// To the schema 12.0 is an integer as well; its bounds fit into an int.
int Node::Count(int otherwise) const {
  return exists() ? static_cast<int>(value_->ToDouble().value_or(otherwise)) : otherwise;
}

bool Node::Flag(bool otherwise) const { return exists() ? value_->boolean() : otherwise; }

std::vector<std::string> Node::Texts() const {
  std::vector<std::string> texts;
  for (const Node& item : Items()) {
    texts.push_back(item.Text());
  }
  return texts;
}

std::chrono::milliseconds Node::Seconds(std::chrono::milliseconds otherwise) const {
  if (!exists()) {
    return otherwise;
  }
  const double seconds = value_->ToDouble().value_or(0);
  const long long rounded = std::llround(seconds * 1000);
  return std::chrono::milliseconds(rounded == 0 && seconds > 0 ? 1 : rounded);
}

std::string Node::Url(std::string_view otherwise) const {
  std::string url = Text(otherwise);
  const std::size_t host = url.find("//");
  if (host != std::string::npos && url.find('@') < url.find('/', host + 2)) {
    Fault("an address holds no user or password: they go into headers");
  }
  while (url.ends_with('/')) {
    url.pop_back();
  }
  return url;
}

Secret Node::ReadSecret() const {
  if (!exists()) {
    return {};
  }
  if (value_->IsString()) {
    return Secret(value_->string());
  }
  const std::string name = value_->TextAt("env");
  if (!name.empty()) {
    std::optional<std::string> text = reading_->secrets().environment(name);
    if (!text || text->empty()) {
      Fault("the environment has no " + name);
      return {};
    }
    return Secret(std::move(*text));
  }
  const std::string path = value_->TextAt("file");
  std::optional<std::string> text = reading_->secrets().file(path);
  if (text && text->ends_with('\n')) {  // what editors and echo leave there
    text->pop_back();
    if (text->ends_with('\r')) {
      text->pop_back();
    }
  }
  if (!text || text->empty()) {
    Fault("the file " + path + " cannot be read or is empty");
    return {};
  }
  return Secret(std::move(*text));
}

std::optional<std::string> Node::FileText() const { return reading_->secrets().file(Text()); }

}  // namespace writ::bot
