#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>
#include <vector>

#include "connectors/http/unique_fd.h"
#include "router/base/time.h"

namespace writ::connectors {

// libcurl's multi handle over an epoll of our own. All of it belongs to one thread.
//
// curl_multi_perform would walk every transfer on every wake (6 ms with 4,000 waiting);
// curl_multi_socket_action touches only the one that moved.
class CurlMulti {
 public:
  struct Finished {
    CURL* easy;
    CURLcode code;
  };

  // wake_fd  readable: WaitAndAct returns; outlives this
  // throws   Failure{kTransient} where no epoll or no memory is to be had
  explicit CurlMulti(int wake_fd);
  ~CurlMulti() = default;
  CurlMulti(const CurlMulti&) = delete;
  CurlMulti& operator=(const CurlMulti&) = delete;

  // false without memory. `easy` has to be removed before it is cleaned up.
  [[nodiscard]] bool Add(CURL* easy);
  void Remove(CURL* easy);

  // Sleeps until a socket is ready, a timer of libcurl's is due, the wake fd is readable or `until`
  // has come, and lets libcurl act. The transfers' callbacks are called from here.
  void WaitAndAct(std::optional<router::SteadyPoint> until);

  // Transfers that have come to an end; they are still to be removed.
  [[nodiscard]] std::vector<Finished> TakeFinished();

 private:
  static int OnSocket(CURL* easy, curl_socket_t socket, int what, void* self, void* unused);
  static int OnTimer(CURLM* multi, long timeout_ms, void* self);

  void Watch(int fd, int what);
  void ActOnTimer();

  struct Cleanup {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };

  int wake_fd_;
  UniqueFd epoll_;
  std::optional<router::SteadyPoint> due_;  // when libcurl wants to act without a socket's event
  std::unique_ptr<CURLM, Cleanup> multi_;   // last: its end calls OnSocket
};

}  // namespace writ::connectors
