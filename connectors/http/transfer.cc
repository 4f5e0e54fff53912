#include "connectors/http/transfer.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string_view>
#include <utility>

#include "connectors/http/ascii.h"
#include "connectors/http/public_address.h"

namespace writ::connectors {
namespace {

using router::HttpFailure;
using router::HttpOutcome;

long ToLong(std::chrono::milliseconds time) {
  return std::clamp<std::int64_t>(time.count(), 1, std::numeric_limits<std::int32_t>::max());
}

// Codes of which libcurl's text speaks of the connection alone, never of what was sent or received.
bool TextIsOfConnection(CURLcode code) {
  return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT ||
         code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION ||
         code == CURLE_SSL_CACERT_BADFILE;
}

}  // namespace

Transfer::Transfer(std::uint64_t id, router::HttpRequest request, std::string origin)
    : id_(id), request_(std::move(request)), origin_(std::move(origin)), reader_(request_) {}

bool Transfer::Prepare(const TransferOptions& options, MayBegin may_begin) {
  easy_.reset(curl_easy_init());
  if (!easy_) return false;
  may_begin_ = std::move(may_begin);
  Set(CURLOPT_PRIVATE, this);
  Set(CURLOPT_ERRORBUFFER, error_.data());
  Set(CURLOPT_PREREQFUNCTION, &Transfer::OnBegin);
  Set(CURLOPT_PREREQDATA, this);
  Set(CURLOPT_HEADERFUNCTION, &Transfer::OnHeader);
  Set(CURLOPT_HEADERDATA, this);
  Set(CURLOPT_WRITEFUNCTION, &Transfer::OnBody);
  Set(CURLOPT_WRITEDATA, this);
  SetRoute(options);
  SetMethodAndBody();
  SetHeaders();
  return options_ok_;
}

template <typename Value>
void Transfer::Set(CURLoption option, Value value) {
  options_ok_ = curl_easy_setopt(easy_.get(), option, value) == CURLE_OK && options_ok_;
}

void Transfer::SetRoute(const TransferOptions& options) {
  Set(CURLOPT_URL, request_.url.c_str());
  Set(CURLOPT_PATH_AS_IS, 1L);  // what was asked for goes out, `..` too
  // Debian's libcurl speaks file, scp, smb and more.
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  Set(CURLOPT_FOLLOWLOCATION, 0L);
  Set(CURLOPT_NOPROXY, "*");
  Set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_CONNECTTIMEOUT_MS, ToLong(request_.connect_timeout));
  Set(CURLOPT_TCP_KEEPALIVE, 1L);
  Set(CURLOPT_OPENSOCKETFUNCTION, &Transfer::OnSocket);
  Set(CURLOPT_OPENSOCKETDATA, this);
  // Without it the end of a transfer waits for its resolver thread, and the loop with it.
  Set(CURLOPT_QUICK_EXIT, 1L);
  if (request_.once) {
    // On a kept connection that dies before the reply's first byte libcurl repeats a POST by
    // itself.
    Set(CURLOPT_FRESH_CONNECT, 1L);
    Set(CURLOPT_FORBID_REUSE, 1L);
  }
  Set(CURLOPT_SSL_VERIFYPEER, 1L);
  Set(CURLOPT_SSL_VERIFYHOST, 2L);
  Set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!options.ca_file.empty()) Set(CURLOPT_CAINFO, options.ca_file.c_str());
  // Without a directory libcurl keeps the parsed CA file from one connection to the next.
  Set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  Set(CURLOPT_USERAGENT, options.user_agent.c_str());
  // A body that is read as it comes is asked for as it is: of a few packed bytes libcurl makes
  // megabytes at once, and all that time nothing else is served.
  if (!request_.on_data) Set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
}

void Transfer::SetMethodAndBody() {
  const bool has_body = !request_.body.empty() || request_.method == "POST" ||
                        request_.method == "PUT" || request_.method == "PATCH";
  if (has_body) {
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    Set(CURLOPT_POSTFIELDS, request_.body.data());  // not copied: the request outlives the handle
  } else if (request_.method == "HEAD") {
    Set(CURLOPT_NOBODY, 1L);
  } else {
    Set(CURLOPT_HTTPGET, 1L);
  }
  Set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

void Transfer::SetHeaders() {
  bool has_type = false;
  for (const auto& [name, value] : request_.headers) {
    has_type = has_type || InLowerCase(name) == "content-type";
    // "Name:" would take the header away; "Name;" sends it empty.
    AddHeader(WithoutBlanks(value).empty() ? name + ";" : name + ": " + value);
  }
  if (!has_type) AddHeader("Content-Type:");  // libcurl would call any POST a form
  AddHeader("Expect:");                       // no second of waiting for a 100
  if (request_.on_data) AddHeader("Accept-Encoding: identity");
  Set(CURLOPT_HTTPHEADER, headers_.get());
}

void Transfer::AddHeader(const std::string& line) {
  curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
  if (longer == nullptr) {
    options_ok_ = false;
    return;
  }
  static_cast<void>(headers_.release());
  headers_.reset(longer);
}

HttpOutcome Transfer::Finished(CURLcode code) {
  if (reader_.state() == ReplyReader::State::kEnough) return reader_.TakeResponse();
  if (reader_.state() == ReplyReader::State::kTooLarge) {
    return Abandoned(HttpFailure::Kind::kTooLarge, "the reply is larger than allowed");
  }
  if (code == CURLE_OK) {
    if (reader_.head_complete()) return reader_.TakeResponse();
    return Abandoned(HttpFailure::Kind::kBroken, "the reply has no final status");
  }
  return Abandoned(
      code == CURLE_OPERATION_TIMEDOUT ? HttpFailure::Kind::kTimedOut : HttpFailure::Kind::kBroken,
      Describe(code));
}

HttpOutcome Transfer::Abandoned(HttpFailure::Kind kind, const std::string& why) const {
  return HttpFailure{begun_ ? kind : HttpFailure::Kind::kNotSent,
                     request_.method + " " + origin_ + ": " + why};
}

std::string Transfer::Describe(CURLcode code) const {
  if (private_address_ && !begun_) return "its name leads to an address that is not public";
  if (TextIsOfConnection(code) && error_.front() != '\0') return error_.data();
  return curl_easy_strerror(code);
}

Transfer& Transfer::Of(CURL* easy) {
  char* transfer = nullptr;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
  return *static_cast<Transfer*>(static_cast<void*>(transfer));
}

// The callbacks are noexcept: an exception must not run through libcurl's frames.

// As libcurl's own, but a child process does not inherit the connection. It is asked here what the
// name has led to: whoever judged the name before would judge another answer of the resolver.
curl_socket_t Transfer::OnSocket(void* self, curlsocktype /*purpose*/,
                                 curl_sockaddr* address) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  if (transfer.request_.public_only && !IsPublicAddress(address->addr)) {
    transfer.private_address_ = true;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

int Transfer::OnBegin(void* self, char* ip, char* /*local_ip*/, int /*port*/,
                      int /*local_port*/) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  // A kept connection may be one that another request was allowed to open.
  if (transfer.request_.public_only && !IsPublicAddress(ip)) {
    transfer.private_address_ = true;
    return CURL_PREREQFUNC_ABORT;
  }
  if (!transfer.may_begin_()) return CURL_PREREQFUNC_ABORT;
  transfer.begun_ = true;
  transfer.last_byte_ = std::chrono::steady_clock::now();
  return CURL_PREREQFUNC_OK;
}

std::size_t Transfer::OnHeader(char* bytes, std::size_t size, std::size_t count,
                               void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.last_byte_ = std::chrono::steady_clock::now();
  const std::size_t length = size * count;
  return transfer.reader_.TakeHeaderLine({bytes, length}) ? length : 0;
}

std::size_t Transfer::OnBody(char* bytes, std::size_t size, std::size_t count,
                             void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.last_byte_ = std::chrono::steady_clock::now();
  const std::size_t length = size * count;
  return transfer.reader_.TakeBody({bytes, length}) ? length : 0;
}

}  // namespace writ::connectors
