#include "store/redis/failures.h"

#include <string_view>

namespace writ::store {

using router::Failure;

namespace {

constexpr std::size_t kLongest = 200;

bool IsOneOf(std::string_view code, std::initializer_list<std::string_view> codes) {
  for (const std::string_view one : codes) {
    if (code == one) return true;
  }
  return false;
}

// Some errors repeat what they were asked.
std::string WithoutArguments(const std::string& said) {
  return said.substr(0, std::min(said.find(", with args"), kLongest));
}

}  // namespace

RedisError::RedisError(const std::string& said)
    : std::runtime_error(WithoutArguments(said)), code_(said.substr(0, said.find(' '))) {}

bool EndsConnection(const RedisError& error) {
  return IsOneOf(error.code(), {"LOADING", "READONLY", "MASTERDOWN"}) ||
         std::string_view(error.what()).find("max number of clients") != std::string_view::npos;
}

Failure AnotherStore() {
  return {
      Failure::Kind::kPermanent,
      "store redis: it is not the store any more that this node opened: its server has lost its "
      "data, or somebody emptied it; restore it, or restart the nodes on what is there"};
}

Failure ToFailure(const RedisError& error) {
  const bool transient =
      EndsConnection(error) || IsOneOf(error.code(), {"OOM", "MISCONF", "BUSY", "NOREPLICAS",
                                                      "TRYAGAIN", "UNKILLABLE", "CLUSTERDOWN"});
  return {transient ? Failure::Kind::kTransient : Failure::Kind::kPermanent,
          "store redis: " + std::string(error.what())};
}

Failure ToFailure(const RedisLost& lost) {
  return {Failure::Kind::kTransient, "store redis: " + std::string(lost.what())};
}

}  // namespace writ::store
