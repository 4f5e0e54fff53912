-- A transaction's writes, if nothing that it read has changed. All of them or none: nothing is
-- written before everything was looked at. It knows no table and no rule, only names and texts.
--
-- ARGV: as in checks.lua, then the commit's id; rows (count, then name and text of each); names of
--       rows that go; entries of indexes (count, then index and member); entries that go; indexes
--       that get a mark; sets that tell which indexes there are (count, then set, name, index);
--       rows that get the next place (count, then row's table, text, index, what the member begins
--       with); nodes (count, then name and until when it lives); nodes that go; before when nodes
--       are forgotten; what is published, to whom ('' for nothing)
local fault = find_fault()
if fault then return fault end
local commit = prefix .. 'commit:' .. take()
if redis.call('EXISTS', commit) == 1 then return {'barred'} end

local number = string.format('%.0f', redis.call('INCR', prefix .. 'commits'))
redis.call('SET', commit, 'done', 'PX', KEEP_MARKS)
for _ = 1, count() do
  local name, text = take(), take()
  redis.call('SET', prefix .. name, number .. ' ' .. text)
end
for _ = 1, count() do redis.call('DEL', prefix .. take()) end
for _ = 1, count() do
  local index, member = take(), take()
  redis.call('ZADD', prefix .. index, 0, member)
end
for _ = 1, count() do
  local index, member = take(), take()
  redis.call('ZREM', prefix .. index, member)
end
for _ = 1, count() do
  redis.call('SET', prefix .. 'mark:' .. take(), number, 'PX', KEEP_MARKS)
end
for _ = 1, count() do
  local set, name, index = take(), take(), take()
  if redis.call('EXISTS', prefix .. index) == 1 then
    redis.call('SADD', prefix .. set, name)
  else
    redis.call('SREM', prefix .. set, name)
  end
end
for _ = 1, count() do
  local rows, text, index, member = take(), take(), take(), take()
  -- As Ordered() in keys.h writes a number that is not negative.
  local place = string.format('8%015x', redis.call('INCR', prefix .. 'places'))
  redis.call('SET', prefix .. rows .. place, number .. ' ' .. text)
  redis.call('ZADD', prefix .. index, 0, member .. place)
end
for _ = 1, count() do
  local node, alive_until = take(), take()
  redis.call('ZADD', prefix .. 'nodes', alive_until, node)
end
for _ = 1, count() do redis.call('ZREM', prefix .. 'nodes', take()) end
local forgotten = take()
if forgotten ~= '' then redis.call('ZREMRANGEBYSCORE', prefix .. 'nodes', '-inf', forgotten) end
local channel, words = take(), take()
if channel ~= '' then redis.call('PUBLISH', channel, words) end
return {'done'}
