#include "tests/support/tls_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace writ::tests {
namespace {

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* session) const { SSL_free(session); }
};

void AddExtension(X509* certificate, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

std::unique_ptr<X509, Free> SelfSigned(EVP_PKEY* key) {
  std::unique_ptr<X509, Free> certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* name = X509_get_subject_name(certificate.get());
  const std::array<unsigned char, 5> writ{'w', 'r', 'i', 't', '\0'};
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, writ.data(), 4, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  AddExtension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(certificate.get(), NID_subject_alt_name, "IP:127.0.0.1");
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

std::string WriteToFile(X509* certificate) {
  std::string path = "/tmp/writ-certificate-XXXXXX";
  std::FILE* file = ::fdopen(::mkstemp(path.data()), "w");
  PEM_write_X509(file, certificate);
  std::fclose(file);
  return path;
}

}  // namespace

struct TlsServer::Identity {
  std::unique_ptr<EVP_PKEY, Free> key{EVP_EC_gen("P-256")};
  std::unique_ptr<X509, Free> certificate = SelfSigned(key.get());
};

TlsServer::TlsServer() {
  Identity identity;
  certificate_file_ = WriteToFile(identity.certificate.get());
  listen_fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = static_cast<sockaddr*>(static_cast<void*>(&address));
  if (::bind(listen_fd_, generic, length) != 0 || ::listen(listen_fd_, 16) != 0 ||
      ::getsockname(listen_fd_, generic, &length) != 0) {
    std::abort();
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this, mine = std::move(identity)] { Run(mine); });
}

TlsServer::~TlsServer() {
  ::shutdown(listen_fd_, SHUT_RDWR);  // wakes accept
  thread_.join();
  ::close(listen_fd_);
  std::remove(certificate_file_.c_str());
}

std::string TlsServer::Url() const { return "https://127.0.0.1:" + std::to_string(port_) + "/"; }

void TlsServer::Run(const Identity& identity) {
  const std::unique_ptr<SSL_CTX, Free> context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_use_certificate(context.get(), identity.certificate.get());
  SSL_CTX_use_PrivateKey(context.get(), identity.key.get());
  while (true) {
    const int fd = ::accept4(listen_fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const std::unique_ptr<SSL, Free> session(SSL_new(context.get()));
    SSL_set_fd(session.get(), fd);
    std::array<char, 4096> request{};
    if (SSL_accept(session.get()) == 1 &&
        SSL_read(session.get(), request.data(), static_cast<int>(request.size())) > 0) {
      ++requests_;
      constexpr std::string_view kReply =
          "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 6\r\n\r\nsecret";
      SSL_write(session.get(), kReply.data(), static_cast<int>(kReply.size()));
      SSL_shutdown(session.get());
    }
    ::close(fd);
  }
}

}  // namespace writ::tests
