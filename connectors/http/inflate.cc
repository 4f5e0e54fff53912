#include "connectors/http/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace writ::connectors {
namespace {

constexpr int kGzipOnly = 15 + 16;  // zlib.h: windowBits + 16 reads and writes gzip alone
constexpr std::size_t kMaxInput = std::numeric_limits<uInt>::max();

// zlib's C interface wants bytes it may not change as a pointer to bytes it could.
Bytef* InputOf(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::variant<std::string, InflateFault> Run(std::string_view gzip, std::size_t max_bytes) {
    std::string inflated;
    std::array<char, 16384> piece;
    stream_.next_in = InputOf(gzip);
    stream_.avail_in = static_cast<uInt>(gzip.size());
    while (true) {
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = static_cast<uInt>(piece.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t got = piece.size() - stream_.avail_out;
      if (got > max_bytes - inflated.size()) return InflateFault::kTooLarge;
      inflated.append(piece.data(), got);
      if (code == Z_STREAM_END) {
        if (stream_.avail_in == 0) return inflated;
        if (inflateReset(&stream_) != Z_OK) return InflateFault::kBroken;
      } else if (code != Z_OK || (got == 0 && stream_.avail_in == 0)) {
        return InflateFault::kBroken;
      }
    }
  }

 private:
  z_stream stream_{};
};

}  // namespace

bool IsGzip(std::string_view body) { return body.starts_with("\x1f\x8b"); }

std::variant<std::string, InflateFault> Inflate(std::string_view gzip, std::size_t max_bytes) {
  if (gzip.size() > kMaxInput) return InflateFault::kTooLarge;
  return Inflater().Run(gzip, max_bytes);
}

std::string Gzip(std::string_view body) {
  if (body.size() > kMaxInput) throw std::length_error("a body too large to compress at once");
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed(deflateBound(&stream, static_cast<uLong>(body.size())), '\0');
  stream.next_in = InputOf(body);
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);  // the bound makes one round enough
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace writ::connectors
