#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bot/config/config.h"
#include "bot/config/secret.h"
#include "router/base/json.h"

namespace writ::bot {

// What reading a configuration shares: where secrets come from and where faults go. The schema has
// been satisfied before: a value that is there has the type that is asked for.
class Reading {
 public:
  Reading(const SecretSource& secrets, std::vector<ConfigFault>& faults)
      : secrets_(secrets), faults_(faults) {}

  void Fault(std::string pointer, std::string detail) {
    faults_.push_back({std::move(pointer), std::move(detail)});
  }
  [[nodiscard]] const SecretSource& secrets() const { return secrets_; }

 private:
  const SecretSource& secrets_;
  std::vector<ConfigFault>& faults_;
};

// A value of the configuration, or an absent one, with the way to it. It refers to the document
// and to the reading, which must outlive it.
class Node {
 public:
  Node(Reading& reading, const router::Json* value, std::string pointer)
      : reading_(&reading), value_(value), pointer_(std::move(pointer)) {}

  [[nodiscard]] bool exists() const { return value_ != nullptr; }
  [[nodiscard]] const router::Json& json() const { return *value_; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }

  [[nodiscard]] Node operator[](std::string_view key) const;
  [[nodiscard]] std::vector<Node> Items() const;        // of an array; none where it is absent
  [[nodiscard]] std::vector<std::string> Keys() const;  // of an object; none where it is absent

  [[nodiscard]] std::string Text(std::string_view otherwise = {}) const;
  [[nodiscard]] int Count(int otherwise) const;
  [[nodiscard]] bool Flag(bool otherwise) const;
  [[nodiscard]] std::vector<std::string> Texts() const;
  // Seconds in the file. What is there and shorter than a millisecond is one: 0 has a meaning.
  [[nodiscard]] std::chrono::milliseconds Seconds(std::chrono::milliseconds otherwise) const;
  // An address without the slash at its end. It holds no user or password, for addresses are
  // logged.
  [[nodiscard]] std::string Url(std::string_view otherwise = {}) const;
  // Empty where it is absent, and where it is missing: that is a fault.
  [[nodiscard]] Secret ReadSecret() const;

  // What the file has whose path this text is; nullopt where it can't be read.
  [[nodiscard]] std::optional<std::string> FileText() const;

  // A fault further within, at `pointer` from here.
  void FaultAt(const std::string& pointer, std::string detail) const {
    reading_->Fault(pointer_ + pointer, std::move(detail));
  }
  void Fault(std::string detail) const { reading_->Fault(pointer_, std::move(detail)); }

 private:
  Reading* reading_;
  const router::Json* value_;
  std::string pointer_;
};

}  // namespace writ::bot
