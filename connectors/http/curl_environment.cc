#include "connectors/http/curl_environment.h"

#include <curl/curl.h>

#include "router/base/failure.h"

namespace writ::connectors {

CurlEnvironment::CurlEnvironment() {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    throw router::Failure(router::Failure::Kind::kPermanent, "libcurl cannot be set up");
  }
}

CurlEnvironment::~CurlEnvironment() { curl_global_cleanup(); }

}  // namespace writ::connectors
