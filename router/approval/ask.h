#pragma once

#include "router/base/ids.h"
#include "router/tool/approver.h"
#include "router/turn/turn.h"

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

// The same for a turn's call. What runs on a device is never put to another than the initiator,
// whose device it is; an incognito session asks nobody.
[[nodiscard]] Asked AskedOf(const Turn& turn, const Call& call, Approver approver);

}  // namespace writ::router
