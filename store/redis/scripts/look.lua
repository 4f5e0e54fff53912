-- One look at the store, by a transaction whose earlier looks still hold.
--
-- ARGV: as in checks.lua, then what is wanted, one of those below
-- returns  'seen', the number of commits, and what was found; or what checks.lua says

-- Each member's row; `skip` is how much of a member is not its row's name, which begins with `rows`.
local function with_rows(found, members, rows, skip)
  for _, member in ipairs(members) do
    found[#found + 1] = member
    found[#found + 1] = redis.call('GET', prefix .. rows .. string.sub(member, skip + 1))
  end
  return found
end

local looks = {}

-- names: their rows
function looks.rows()
  local found = {}
  while at < #ARGV do found[#found + 1] = redis.call('GET', prefix .. take()) end
  return found
end

-- index, from, to, '1' for the last first, limit, rows, skip: the index's mark, then each member and
-- its row
function looks.range()
  local index, from, to, last_first, limit = take(), take(), take(), take(), take()
  local rows, skip = take(), count()
  local members
  if last_first == '1' then
    members = redis.call('ZRANGE', prefix .. index, to, from, 'BYLEX', 'REV', 'LIMIT', 0, limit)
  else
    members = redis.call('ZRANGE', prefix .. index, from, to, 'BYLEX', 'LIMIT', 0, limit)
  end
  return with_rows({redis.call('GET', prefix .. 'mark:' .. index) or ''}, members, rows, skip)
end

-- index, from, to: the index's mark, and how many there are
function looks.count()
  local index, from, to = take(), take(), take()
  return {redis.call('GET', prefix .. 'mark:' .. index) or '',
          redis.call('ZLEXCOUNT', prefix .. index, from, to)}
end

-- index: its first member
function looks.first() return redis.call('ZRANGE', prefix .. take(), 0, 0) end

-- each node, and until when it lives
function looks.nodes() return redis.call('ZRANGE', prefix .. 'nodes', 0, -1, 'WITHSCORES') end

-- the set of nodes that have something, what their indexes' names begin with, now (microseconds),
-- until which member, limit, rows, skip: what is due and nobody, or a node that no longer lives,
-- has, by when it was due: each member and its row
function looks.idle()
  local set, indexes, now, to, limit = take(), take(), count(), take(), count()
  local rows, skip = take(), count()
  local members = {}
  for _, node in ipairs(redis.call('SMEMBERS', prefix .. set)) do
    local alive_until = node ~= '' and redis.call('ZSCORE', prefix .. 'nodes', node)
    if not (alive_until and tonumber(alive_until) > now) then
      for _, member in ipairs(redis.call('ZRANGE', prefix .. indexes .. node, '-', to, 'BYLEX',
                                         'LIMIT', 0, limit)) do
        members[#members + 1] = member
      end
    end
  end
  table.sort(members)
  for i = #members, limit + 1, -1 do members[i] = nil end
  return with_rows({}, members, rows, skip)
end

local fault = find_fault()
if fault then return fault end
return {'seen', commits, looks[take()]()}
