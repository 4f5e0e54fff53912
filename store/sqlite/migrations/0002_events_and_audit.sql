-- Who takes a row of the outbox: the channels, or an app's backend.
ALTER TABLE outbox ADD COLUMN queue TEXT NOT NULL DEFAULT '';
DROP INDEX outbox_deliverable;
CREATE INDEX outbox_deliverable ON outbox (queue, node, due_at, sequence) WHERE first = 1;

-- The audit log: entries as they came, then sealed into their app's chain.
CREATE TABLE audit (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  app TEXT NOT NULL,
  doc TEXT NOT NULL,
  seal INTEGER NOT NULL,  -- 0: not yet
  mac TEXT NOT NULL
) STRICT;
CREATE INDEX audit_unsealed ON audit (app, place) WHERE seal = 0;
CREATE UNIQUE INDEX audit_sealed ON audit (app, seal) WHERE seal > 0;

CREATE TABLE audit_chains (
  app TEXT NOT NULL PRIMARY KEY,
  seal INTEGER NOT NULL,
  mac TEXT NOT NULL,
  checkpoint TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The last number that each session gave to an entry.
CREATE TABLE audit_numbers (
  session TEXT NOT NULL PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
