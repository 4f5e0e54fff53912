#pragma once

#include <map>
#include <string>
#include <vector>

#include "router/base/json.h"

namespace writ::bot {

// Follows a list of approvals that is read again and again. Pure.
class Watch {
 public:
  // Those of the page, newest first, that are new or have another status or decision than when they
  // were last seen; the oldest first.
  [[nodiscard]] std::vector<router::Json> Changed(const router::Json::Array& page);

  // Ids of approvals that were pending when last seen and do not stand in the page: what became of
  // them is to be asked for one by one, and told to Changed().
  [[nodiscard]] std::vector<std::string> Missing(const router::Json::Array& page) const;

 private:
  std::map<std::string, std::string> seen_;  // id -> what was seen of it
};

}  // namespace writ::bot
