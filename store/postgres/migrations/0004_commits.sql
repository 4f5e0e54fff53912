-- Which commits were done, for whoever lost the answer to one. A transaction's number does not tell: a
-- server that crashed gives it to another one where nothing of the first was kept.
CREATE TABLE commits (id bytea PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
CREATE INDEX commits_at ON commits (at);
