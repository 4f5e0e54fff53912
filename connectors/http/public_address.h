#pragma once

#include <sys/socket.h>

#include <string>
#include <string_view>

namespace writ::connectors {

// Whether the address is one of the public Internet. It is not where it is this machine's, a
// private or shared network's, link-local (a cloud's metadata service stands there), multicast, or
// reserved; an IPv6 address that carries an IPv4 one (mapped, NAT64, 6to4) is what that one is.
// source: the IANA special-purpose address registries (RFC 6890)
[[nodiscard]] bool IsPublicAddress(const sockaddr& address);
[[nodiscard]] bool IsPublicAddress(std::string_view text);  // false for what is no address

// Whether a URL's host is `localhost` or an address that is not public, in any of the ways to
// write one. Whoever writes such a URL means it; a name says nothing of where it leads.
[[nodiscard]] bool NamesPrivateAddress(const std::string& url);

}  // namespace writ::connectors
