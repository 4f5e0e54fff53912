-- The rows of store/records.h. Texts are bytes, compared as bytes whatever the database's encoding
-- and collation are (`SET bytea_output = 'escape'` lets psql show them); instants are microseconds
-- since 1970, UTC. Each index is there for a method of Records; those that are partial hold only
-- what is not over, so that what is over costs the hot path nothing.

-- The advisory lock of a unit: what one transaction at a time reads and changes.
CREATE FUNCTION unit_of(kind text, app bytea, name bytea) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT ('x' || left(encode(sha256(convert_to(current_schema() || ' ' || kind, 'UTF8')
          || '\x00'::bytea || app || '\x00'::bytea || name), 'hex'), 16))::bit(64)::bigint
$$;

CREATE TABLE events (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- as they were inserted
  app bytea NOT NULL,
  key bytea NOT NULL,
  message bytea NOT NULL,
  state bigint NOT NULL,  -- 0 waiting, 1 parked, 2 done
  received_at bigint NOT NULL,
  doc bytea NOT NULL,
  UNIQUE (app, key)
);
CREATE INDEX events_waiting ON events (received_at, place) WHERE state = 0;
CREATE INDEX events_parked ON events (app, message, received_at, place) WHERE state = 1;
CREATE INDEX events_over ON events (received_at, place) WHERE state <> 0;

CREATE TABLE sessions (
  id bytea PRIMARY KEY,
  app bytea NOT NULL,
  agent bytea NOT NULL,
  cid bytea NOT NULL,
  owner bytea NOT NULL,
  open boolean NOT NULL,
  created_at bigint NOT NULL,
  last_active_at bigint NOT NULL,
  doc bytea NOT NULL
);
CREATE INDEX sessions_open ON sessions (app, agent, cid, created_at, id) WHERE open;
CREATE INDEX sessions_listed ON sessions (app, open, created_at, id);
CREATE INDEX sessions_of_cid ON sessions (app, cid, open, created_at, id);
CREATE INDEX sessions_of_owner ON sessions (app, owner, open, created_at, id);
CREATE INDEX sessions_active ON sessions (app, last_active_at, id) WHERE open AND cid <> '';

CREATE TABLE turns (
  id bytea PRIMARY KEY,
  app bytea NOT NULL,
  lane bytea NOT NULL,
  session bytea NOT NULL,
  message bytea NOT NULL,
  client_id bytea NOT NULL,
  line bigint NOT NULL,
  line_at bigint NOT NULL,
  ended boolean NOT NULL,
  wake_at bigint,
  created_at bigint NOT NULL,
  doc bytea NOT NULL
);
CREATE INDEX turns_of_message ON turns (app, message, created_at, id) WHERE message <> '';
CREATE UNIQUE INDEX turns_of_client ON turns (session, client_id) WHERE client_id <> '';
CREATE INDEX turns_of_session ON turns (session, created_at, id);
CREATE INDEX turns_open_in_lane ON turns (app, lane, created_at, id) WHERE NOT ended;
CREATE INDEX turns_open_in_session ON turns (session, created_at, id) WHERE NOT ended;
CREATE INDEX turns_in_line ON turns (app, lane, line, line_at, id) WHERE NOT ended AND line >= 0;
CREATE INDEX turns_to_wake ON turns (wake_at, id) WHERE NOT ended AND wake_at IS NOT NULL;

CREATE TABLE approvals (
  id bytea PRIMARY KEY,
  run bytea NOT NULL,
  call bytea NOT NULL,
  app bytea NOT NULL,
  lane bytea NOT NULL,
  asked bytea NOT NULL,
  status bigint NOT NULL,
  consumed boolean NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  doc bytea NOT NULL
);
CREATE INDEX approvals_of_run ON approvals (run, created_at, id);
CREATE INDEX approvals_listed ON approvals (app, created_at, id);
CREATE INDEX approvals_by_status ON approvals (app, status, created_at, id);
CREATE INDEX approvals_of_lane ON approvals (app, lane, status);
CREATE INDEX approvals_of_asked ON approvals (app, asked, status);

-- Those that are held, or were told something; a free lane has no row.
CREATE TABLE lanes (
  app bytea NOT NULL,
  lane bytea NOT NULL,
  holder bytea NOT NULL,
  told_full boolean NOT NULL,
  PRIMARY KEY (app, lane)
);

CREATE TABLE work (
  turn bytea NOT NULL,
  call bytea NOT NULL,
  app bytea NOT NULL,
  node bytea NOT NULL,
  fence bigint NOT NULL,
  claims bigint NOT NULL,
  due_at bigint NOT NULL,
  PRIMARY KEY (turn, call)
);
CREATE INDEX work_due ON work (node, due_at, turn, call);

CREATE TABLE outbox (
  id bytea PRIMARY KEY,
  queue bytea NOT NULL,
  app bytea NOT NULL,
  lane bytea NOT NULL,
  turn bytea NOT NULL,
  doc bytea NOT NULL,
  wanted bigint NOT NULL,
  shown bigint NOT NULL,
  sequence bigint NOT NULL,
  due boolean NOT NULL,
  due_at bigint NOT NULL,
  attempts bigint NOT NULL,
  failing_since bigint,
  node bytea NOT NULL,
  first boolean NOT NULL  -- due, and the first such row of its lane
);
CREATE INDEX outbox_due ON outbox (app, lane, sequence, id) WHERE due;
CREATE INDEX outbox_first_of_lane ON outbox (app, lane) WHERE first;
CREATE INDEX outbox_deliverable ON outbox (queue, node, due_at, sequence, id) WHERE first;

CREATE TABLE consents (
  id bytea PRIMARY KEY,
  app bytea NOT NULL,
  lane bytea NOT NULL,
  person bytea NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  doc bytea NOT NULL
);
CREATE INDEX consents_of_lane ON consents (app, lane, created_at, id);
CREATE INDEX consents_by_end ON consents (expires_at, id);

CREATE TABLE budgets (
  app bytea NOT NULL,
  counter bytea NOT NULL,
  since bigint NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (app, counter)
);
CREATE INDEX budgets_since ON budgets (since);

-- The audit log: entries as they came, then sealed into their app's chain.
CREATE TABLE audit (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app bytea NOT NULL,
  doc bytea NOT NULL,
  seal bigint NOT NULL,  -- 0: not yet
  mac bytea NOT NULL
);
CREATE INDEX audit_unsealed ON audit (app, place) WHERE seal = 0;
CREATE UNIQUE INDEX audit_sealed ON audit (app, seal) WHERE seal > 0;

CREATE TABLE audit_chains (
  app bytea PRIMARY KEY,
  seal bigint NOT NULL,
  mac bytea NOT NULL,
  checkpoint bytea NOT NULL
);

-- The last number that each session gave to an entry.
CREATE TABLE audit_numbers (
  session bytea PRIMARY KEY,
  number bigint NOT NULL
);

CREATE TABLE nodes (
  node bytea PRIMARY KEY,
  alive_until bigint NOT NULL
);

CREATE SEQUENCE fences;
CREATE SEQUENCE outbox_places;
