#pragma once

namespace writ::router {

// Who answers for a held call, as the binding says it.
// kCallback: the
// app's backend is called and decides, or leaves it to the writer.
enum class Approver { kWriter, kBackend, kAutoApprove, kAutoDeny, kCallback };

}  // namespace writ::router
