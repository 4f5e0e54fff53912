#pragma once

#include <memory>

#include "bot/config/config.h"
#include "store/records.h"

namespace writ::bot {

// The store that the configuration names, brought up to this program's schema.
//
// throws  router::Failure where it can't be used
[[nodiscard]] std::unique_ptr<store::Engine> OpenStore(const StoreConfig& config);

}  // namespace writ::bot
