#include "bot/http/inflate.h"

#define ZLIB_CONST  // input pointers are const
#include <zlib.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace writ::bot {
namespace {

class Inflater {
 public:
  explicit Inflater(std::string_view body) {
    stream_.next_in = reinterpret_cast<const Bytef*>(body.data());
    stream_.avail_in = static_cast<uInt>(body.size());
    constexpr int kGzipOnly = 15 + 16;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends up to `room` bytes to `text`; zlib's code.
  int Step(std::string& text, std::size_t room) {
    std::array<char, 16384> piece;
    const std::size_t size = std::min(piece.size(), room);
    stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_out = static_cast<uInt>(size);
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    text.append(piece.data(), size - stream_.avail_out);
    return code;
  }

  [[nodiscard]] bool AtEnd() const { return stream_.avail_in == 0; }
  bool NextMember() { return inflateReset(&stream_) == Z_OK; }

 private:
  z_stream stream_{};
};

}  // namespace

bool LooksGzipped(std::string_view body) { return body.starts_with("\x1f\x8b"); }

Inflated InflateGzip(std::string_view body, std::size_t max_bytes) {
  Inflater inflater(body);
  std::string text;
  while (true) {
    // One byte more than allowed is asked for: its arrival is what tells too large from full.
    const std::size_t before = text.size();
    const int code = inflater.Step(text, max_bytes + 1 - text.size());
    if (text.size() > max_bytes) return {"", InflateFault::kTooLarge};
    if (code == Z_STREAM_END) {
      if (inflater.AtEnd()) return {std::move(text), InflateFault::kNone};
      if (!inflater.NextMember()) return {"", InflateFault::kBroken};
    } else if (code != Z_OK || (inflater.AtEnd() && text.size() == before)) {
      return {"", InflateFault::kBroken};
    }
  }
}

}  // namespace writ::bot
