#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/child_process.h"

namespace writ::chaos {

// nginx before the nodes, on the ground of config/nginx.conf; without TLS. Ends with the thread
// that made it, however that ends.
class Front {
 public:
  // `ports`: of the nodes. Its files are in `folder`.
  // throws  std::runtime_error, which says what is missing
  Front(const std::vector<int>& ports, const std::string& folder);

  [[nodiscard]] std::string url() const;

 private:
  int port_;
  std::unique_ptr<tests::ChildProcess> nginx_;
};

// What nginx is started with: `example` is config/nginx.conf.
[[nodiscard]] std::string FrontConfig(const std::string& example, const std::vector<int>& ports,
                                      int port, const std::string& folder);

}  // namespace writ::chaos
