#pragma once

#include <string>
#include <string_view>

#include "router/turn/approval_record.h"

namespace writ::router {

// The right that a link may carry to the one person who reads it (SMS, a direct message, an
// ephemeral one): to see one approval and to answer it as the person it is asked of, until
// `expires_at`. It is no token, opens nothing else, and is signed with a key derived from the app's
// secret, which it does not give away. It names nobody: it fits one record, asked of whom it was
// asked of, and no other.

[[nodiscard]] std::string InboxRightFor(const ApprovalRecord& record, std::string_view api_secret);

// Whether `right` is the one for that record, as it stands now. Of one that is asked of nobody it
// never is.
[[nodiscard]] bool IsInboxRight(std::string_view right, const ApprovalRecord& record,
                                std::string_view api_secret);

// `<inbox>?approval=apr_…#key=…&right=…`: what stands behind the # no server, log or preview of a
// link gets to see. `inbox_url` is `<public_url>/inbox`.
[[nodiscard]] std::string InboxLinkFor(std::string_view inbox_url, const ApprovalRecord& record,
                                       std::string_view api_key, std::string_view api_secret);

}  // namespace writ::router
