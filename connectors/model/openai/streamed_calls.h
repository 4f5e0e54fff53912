#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "router/base/json.h"

namespace writ::connectors {

// The calls of a chat completion that comes in chunks, put together from their pieces. Pieces are
// joined by `index`; id and name come with the first. A new id or another name under an old index
// is a new call: some gateways number all calls of a reply 0. So is the same name again without an
// id, once the arguments are whole. Without an index a piece belongs to the call before it, unless
// it brings an id or a name of its own.
class StreamedCalls {
 public:
  // Takes a piece: an entry of `tool_calls`. Returns how many bytes of it are kept.
  std::size_t Take(const router::Json& piece);

  [[nodiscard]] bool empty() const { return calls_.empty(); }
  // As `tool_calls` would have come whole, in the order in which the calls began.
  [[nodiscard]] router::Json Whole() const;

 private:
  struct Call {
    std::string id;
    std::string name;
    std::string arguments;
  };
  [[nodiscard]] Call& CallFor(const router::Json& piece, const std::string& id,
                              const std::string& name);

  std::vector<Call> calls_;
  std::map<std::int64_t, std::size_t> newest_;  // the newest call under each index
};

}  // namespace writ::connectors
