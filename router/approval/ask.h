#pragma once

#include "router/base/ids.h"
#include "router/tool/approver.h"

namespace writ::router {

// Who a held call is put to.
struct Asked {
  enum class Kind {
    kUser,     // `user`, and the app's backend
    kBackend,  // the backend alone
    kNobody,   // refused at once
  };
  Kind kind = Kind::kNobody;
  UserId user;

  friend bool operator==(const Asked&, const Asked&) = default;
};

// The rule of design section 4: what the policy decides by itself, or the backend alone, needs no
// person, so it is there also where nobody wrote. Else the writer; else the initiator of a session
// that is not shared; else nobody. A missing or empty id is nobody, never everybody.
[[nodiscard]] Asked AskedFor(Approver approver, const UserId& writer, const UserId& initiator,
                             bool shared);

}  // namespace writ::router
