#pragma once

#include <string_view>

namespace writ::bot {

// Whether a request whose Host header says `host` is meant for the demo, which listens on
// `listens_on` (as in HostAndPort::host). A page from elsewhere whose name was made to lead to this
// machine (DNS rebinding) sends its own name: it must neither read the demo's tokens nor press its
// buttons. Ours are the loopback's names, the name that was configured, and, where that is every
// address (`0.0.0.0`, `::`), any address in numbers, which no name leads to.
[[nodiscard]] bool IsOwnHost(std::string_view host, std::string_view listens_on);

}  // namespace writ::bot
