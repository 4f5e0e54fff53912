-- Whether all that a transaction read is still as it was. Each row begins with the number of the
-- commit that wrote it last; an index that was read from one end to the other has its mark, which is
-- the number of the commit that last put something into it or took something out. Where no commit
-- came since the transaction looked last, nothing has to be compared.
--
-- ARGV: prefix, the store's id, began (microseconds), the number of commits when it looked last,
--       rows (count, then name and version of each), marks (the same); what follows is the caller's
local prefix = ARGV[1] .. ':'
local at = 1
local function take()
  at = at + 1
  return ARGV[at]
end
local function count() return tonumber(take()) end

-- Marks are kept for longer than a transaction may last: one that is older may miss a mark that is
-- gone.
local OLDEST = 60 * 1000000
local KEEP_MARKS = 600 * 1000

local commits = redis.call('GET', prefix .. 'commits') or '0'

-- nil where all is well
local function find_fault()
  local store, began, seen = take(), count(), take()
  if redis.call('HGET', prefix .. 'schema', 'id') ~= store then return {'another'} end
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  if math.abs(now - began) > OLDEST then return {'old'} end
  local is_same = commits == seen
  for _ = 1, count() do
    local name, version = take(), take()
    if not is_same then
      local row = redis.call('GETRANGE', prefix .. name, 0, 19)
      if (string.match(row, '^%d+') or '') ~= version then return {'changed', name} end
    end
  end
  for _ = 1, count() do
    local index, version = take(), take()
    if not is_same and (redis.call('GET', prefix .. 'mark:' .. index) or '') ~= version then
      return {'changed', index}
    end
  end
  return nil
end
