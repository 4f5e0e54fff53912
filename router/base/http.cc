#include "router/base/http.h"

#include <algorithm>

namespace writ::router {

const std::string* HttpResponse::Header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [name](const auto& header) { return header.first == name; });
  return found == headers.end() ? nullptr : &found->second;
}

}  // namespace writ::router
