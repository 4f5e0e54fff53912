#pragma once

#include <string>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::router {

// The port through which nodes agree on who walks through an app's rows: of several one does.
// Shared by all threads.
//
// throws  Failure{kTransient} where the store could not be reached
class Walks {
 public:
  virtual ~Walks() = default;

  // Whether the caller is to begin the walk of that name through the app's rows now: no node began
  // it within `rest`. One commit.
  [[nodiscard]] virtual bool Begin(const AppId& app, const std::string& name, Duration rest,
                                   TimePoint now) = 0;
};

}  // namespace writ::router
