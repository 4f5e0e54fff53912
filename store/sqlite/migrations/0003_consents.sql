-- Standing consents. They are inserted and deleted, never changed.
CREATE TABLE consents (
  id TEXT NOT NULL PRIMARY KEY,
  app TEXT NOT NULL,
  lane TEXT NOT NULL,
  user TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX consents_of_lane ON consents (app, lane, created_at, id);
CREATE INDEX consents_expiring ON consents (expires_at, id);
