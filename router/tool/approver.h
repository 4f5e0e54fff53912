#pragma once

namespace writ::router {

// Who answers for a held call, as the binding says it.
enum class Approver { kWriter, kBackend, kAutoApprove, kAutoDeny };

}  // namespace writ::router
