-- The rows of store/records.h. Instants are microseconds since 1970, UTC. Each index is there for a
-- method of Records; those that are partial hold only what is not over, so that what is over costs
-- the hot path nothing.

CREATE TABLE events (
  place INTEGER PRIMARY KEY,  -- as they were inserted
  app TEXT NOT NULL,
  key TEXT NOT NULL,
  message TEXT NOT NULL,
  state INTEGER NOT NULL,  -- 0 waiting, 1 parked, 2 done
  received_at INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (app, key)
) STRICT;
CREATE INDEX events_waiting ON events (received_at, place) WHERE state = 0;
CREATE INDEX events_parked ON events (app, message, received_at, place) WHERE state = 1;
CREATE INDEX events_over ON events (received_at, place) WHERE state <> 0;

CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,
  app TEXT NOT NULL,
  agent TEXT NOT NULL,
  cid TEXT NOT NULL,
  owner TEXT NOT NULL,
  open INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_open ON sessions (app, agent, cid, created_at, id) WHERE open = 1;
CREATE INDEX sessions_listed ON sessions (app, open, created_at, id);
CREATE INDEX sessions_of_cid ON sessions (app, cid, open, created_at, id);
CREATE INDEX sessions_of_owner ON sessions (app, owner, open, created_at, id);
CREATE INDEX sessions_active ON sessions (app, last_active_at, id) WHERE open = 1 AND cid <> '';

CREATE TABLE turns (
  id TEXT NOT NULL PRIMARY KEY,
  app TEXT NOT NULL,
  lane TEXT NOT NULL,
  session TEXT NOT NULL,
  message TEXT NOT NULL,
  client_id TEXT NOT NULL,
  line INTEGER NOT NULL,
  line_at INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  wake_at INTEGER,
  created_at INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX turns_of_message ON turns (app, message, created_at, id) WHERE message <> '';
CREATE UNIQUE INDEX turns_of_client ON turns (session, client_id) WHERE client_id <> '';
CREATE INDEX turns_of_session ON turns (session, created_at, id);
CREATE INDEX turns_open_in_lane ON turns (app, lane, created_at, id) WHERE ended = 0;
CREATE INDEX turns_open_in_session ON turns (session, created_at, id) WHERE ended = 0;
CREATE INDEX turns_in_line ON turns (app, lane, line, line_at, id) WHERE ended = 0 AND line >= 0;
CREATE INDEX turns_to_wake ON turns (wake_at, id) WHERE ended = 0 AND wake_at IS NOT NULL;

-- The status stands last in the indexes by lane and by person: deciding moves a row to the next
-- place of the same page.
CREATE TABLE approvals (
  id TEXT NOT NULL PRIMARY KEY,
  run TEXT NOT NULL,
  call TEXT NOT NULL,
  app TEXT NOT NULL,
  lane TEXT NOT NULL,
  asked TEXT NOT NULL,
  status INTEGER NOT NULL,
  consumed INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_of_run ON approvals (run);
CREATE INDEX approvals_listed ON approvals (app, created_at, id);
CREATE INDEX approvals_by_status ON approvals (app, status, created_at, id);
CREATE INDEX approvals_of_lane ON approvals (app, lane, status);
CREATE INDEX approvals_of_asked ON approvals (app, asked, status);

-- Those that are held, or were told something; a free lane has no row.
CREATE TABLE lanes (
  app TEXT NOT NULL,
  lane TEXT NOT NULL,
  holder TEXT NOT NULL,
  told_full INTEGER NOT NULL,
  PRIMARY KEY (app, lane)
) STRICT, WITHOUT ROWID;

CREATE TABLE work (
  turn TEXT NOT NULL,
  call TEXT NOT NULL,
  app TEXT NOT NULL,
  node TEXT NOT NULL,
  fence INTEGER NOT NULL,
  claims INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (turn, call)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_due ON work (node, due_at, turn, call);

CREATE TABLE outbox (
  id TEXT NOT NULL PRIMARY KEY,
  app TEXT NOT NULL,
  lane TEXT NOT NULL,
  turn TEXT NOT NULL,
  doc TEXT NOT NULL,
  wanted INTEGER NOT NULL,
  shown INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  due INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  failing_since INTEGER,
  node TEXT NOT NULL,
  first INTEGER NOT NULL  -- 1: due, and the first such row of its lane
) STRICT;
CREATE INDEX outbox_due ON outbox (app, lane, sequence, id) WHERE due = 1;
CREATE INDEX outbox_first_of_lane ON outbox (app, lane) WHERE first = 1;
CREATE INDEX outbox_deliverable ON outbox (node, due_at, sequence) WHERE first = 1;

CREATE TABLE nodes (
  node TEXT NOT NULL PRIMARY KEY,
  alive_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
