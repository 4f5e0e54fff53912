#include "store/postgres/idle_nodes.h"

namespace writ::store {

std::string OfIdleNodes(const std::string& table, const std::string& where,
                        const std::string& order, const std::string& unit) {
  const std::string next = "SELECT piece.node FROM " + table + " piece WHERE " + where;
  return "WITH RECURSIVE names AS ((" + next + " ORDER BY node LIMIT 1) UNION ALL SELECT (" + next +
         " AND piece.node > names.node ORDER BY node LIMIT 1) FROM names"
         " WHERE names.node IS NOT NULL),"
         " idle AS MATERIALIZED (SELECT names.node FROM names WHERE names.node IS NOT NULL"
         " AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.node = names.node"
         " AND nodes.alive_until > $1))"
         " SELECT piece.*, " +
         unit + " FROM idle CROSS JOIN LATERAL (SELECT * FROM " + table + " piece WHERE " + where +
         " AND piece.node = idle.node AND piece.due_at <= $1 ORDER BY " + order +
         " LIMIT $2) piece ORDER BY " + order + " LIMIT $2";
}

}  // namespace writ::store
