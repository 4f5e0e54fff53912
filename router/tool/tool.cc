#include "router/tool/tool.h"

namespace writ::router {

std::string TrueName(const ConnectorId& connector, const std::string& tool) {
  return connector.text() + "__" + tool;
}

}  // namespace writ::router
