#pragma once

#include <curl/curl.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "connectors/http/reply_reader.h"
#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::connectors {

// What all transfers of a loop have in common.
struct TransferOptions {
  std::string ca_file;  // PEM; empty: the system's
  std::string user_agent = "writ";
};

// One request and what has come of it. Belongs to the loop's thread. Holds no handle of libcurl's
// (15 kB) before Prepare, so that a queued request is only as large as its body.
class Transfer {
 public:
  // Asked when the connection stands, before the first byte of the request; false ends it unsent.
  using MayBegin = std::function<bool()>;

  // origin  of the request's Target: what messages may show
  Transfer(std::uint64_t id, router::HttpRequest request, std::string origin);
  ~Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // false without memory
  [[nodiscard]] bool Prepare(const TransferOptions& options, MayBegin may_begin);

  [[nodiscard]] std::uint64_t id() const { return id_; }
  [[nodiscard]] const router::HttpRequest& request() const { return request_; }
  [[nodiscard]] const std::string& origin() const { return origin_; }
  [[nodiscard]] CURL* easy() const { return easy_.get(); }  // nullptr before Prepare
  // Whether a byte of the request may have left.
  [[nodiscard]] bool begun() const { return begun_; }
  // When the last byte came, or the request began to leave.
  [[nodiscard]] router::SteadyPoint last_byte() const { return last_byte_; }

  // The outcome where libcurl ended the transfer. Once.
  [[nodiscard]] router::HttpOutcome Finished(CURLcode code);

  // The outcome where the loop ended it: kNotSent where nothing had begun, else `kind`.
  [[nodiscard]] router::HttpOutcome Abandoned(router::HttpFailure::Kind kind,
                                              const std::string& why) const;

  static Transfer& Of(CURL* easy);

 private:
  struct Cleanup {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  template <typename Value>
  void Set(CURLoption option, Value value);
  void SetRoute(const TransferOptions& options);
  void SetMethodAndBody();
  void SetHeaders();
  void AddHeader(const std::string& line);
  [[nodiscard]] std::string Describe(CURLcode code) const;

  static curl_socket_t OnSocket(void* self, curlsocktype purpose, curl_sockaddr* address) noexcept;
  static int OnBegin(void* self, char* ip, char* local_ip, int port, int local_port) noexcept;
  static std::size_t OnHeader(char* bytes, std::size_t size, std::size_t count,
                              void* self) noexcept;
  static std::size_t OnBody(char* bytes, std::size_t size, std::size_t count, void* self) noexcept;

  const std::uint64_t id_;
  const router::HttpRequest request_;
  const std::string origin_;
  ReplyReader reader_;
  MayBegin may_begin_;
  bool begun_ = false;
  bool private_address_ = false;  // one was refused
  bool options_ok_ = true;
  router::SteadyPoint last_byte_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<curl_slist, Cleanup> headers_;
  std::unique_ptr<CURL, Cleanup> easy_;  // last: it points to all of the above
};

}  // namespace writ::connectors
