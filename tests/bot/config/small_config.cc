#include "tests/bot/config/small_config.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "router/base/json.h"

namespace writ::bot {

using router::Json;

namespace {

Json& Element(Json& array, std::size_t index) {
  if (!array.IsArray()) {
    array = Json::MakeArray();
  }
  while (array.array().size() <= index) {
    array.Push(Json());
  }
  return array.array()[index];
}

Json& Member(Json& object, const std::string& key) {
  if (!object.IsObject()) {
    object = Json::MakeObject();
  }
  if (object.Find(key) == nullptr) {
    object.Set(key, Json());
  }
  return *object.Find(key);
}

}  // namespace

std::string SmallConfigWith(const std::string& pointer, std::string_view value) {
  Json document = *router::ParseJson(kSmallConfig).value;
  Json* place = &document;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    const std::string key = pointer.substr(begin, end - begin);
    const bool is_index = key.find_first_not_of("0123456789") == std::string::npos;
    place = is_index ? &Element(*place, std::stoul(key)) : &Member(*place, key);
    begin = end + 1;
  }
  *place = router::ParseJson(value).value.value();
  return document.Dump();
}

SecretSource NamedSecrets(std::map<std::string, std::string> environment,
                          std::map<std::string, std::string> files) {
  const auto reader = [](std::map<std::string, std::string> named) {
    return [named = std::move(named)](const std::string& name) -> std::optional<std::string> {
      const auto found = named.find(name);
      return found == named.end() ? std::nullopt : std::optional(found->second);
    };
  };
  return {reader(std::move(environment)), reader(std::move(files))};
}

std::vector<std::string> PointersOf(const ConfigRead& read) {
  std::vector<std::string> pointers;
  for (const ConfigFault& fault : read.faults) {
    pointers.push_back(fault.pointer);
  }
  return pointers;
}

}  // namespace writ::bot
