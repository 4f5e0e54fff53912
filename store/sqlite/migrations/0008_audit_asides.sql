-- What stands beside an entry of the audit log, outside its seal.
ALTER TABLE audit ADD COLUMN aside TEXT NOT NULL DEFAULT '';
-- What is done is kept for its key alone.
UPDATE events SET doc = '' WHERE state = 2;
