#pragma once

#include <string>

namespace writ::store {

// A query for the rows (`piece`) of `table` that are due at $1 and whose node has nothing -
// nobody's and those of nodes that are not alive at $1 - at most $2, by `order`; with the column
// `unit` beside the table's own. `where` narrows the table to those that its index by (node,
// due_at, …) has. One seek a node's name, however many rows a living node has.
[[nodiscard]] std::string OfIdleNodes(const std::string& table, const std::string& where,
                                      const std::string& order, const std::string& unit);

}  // namespace writ::store
