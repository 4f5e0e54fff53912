#pragma once

#include <stdexcept>
#include <string>

namespace writ::router {

// The world, not the domain, said no. Refusals of the domain are return values. The message says
// what was tried and on which id; it never holds a secret, a message's text or arguments.
class Failure : public std::runtime_error {
 public:
  enum class Kind {
    kTransient,  // may work later
    kPermanent,  // will not work: somebody has to change something
  };

  Failure(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace writ::router
