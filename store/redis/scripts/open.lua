-- The store's own row, made where there is none.
--
-- ARGV: prefix, the steps of the schema that the program knows, the id that a new store gets
-- returns  steps, the oldest program's steps that it can do with, id
local schema = ARGV[1] .. ':schema'
if redis.call('EXISTS', schema) == 0 then
  redis.call('HSET', schema, 'steps', ARGV[2], 'oldest', ARGV[2], 'id', ARGV[3])
end
return redis.call('HMGET', schema, 'steps', 'oldest', 'id')
