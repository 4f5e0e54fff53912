#include "connectors/model/raw_reply.h"

#include <utility>

namespace writ::connectors {
namespace {

std::string OwnerOf(std::string_view dialect, const std::string& model) {
  return std::string(dialect) + ":" + model;
}

}  // namespace

router::Json WrapRaw(std::string_view dialect, const std::string& model, router::Json given) {
  router::Json raw = router::Json::MakeObject();
  raw.Set("by", OwnerOf(dialect, model));
  raw.Set("given", std::move(given));
  return raw;
}

const router::Json* UnwrapRaw(const router::Json& raw, std::string_view dialect,
                              const std::string& model) {
  return raw.TextAt("by") == OwnerOf(dialect, model) ? raw.Find("given") : nullptr;
}

}  // namespace writ::connectors
