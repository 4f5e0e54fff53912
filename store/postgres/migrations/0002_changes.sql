-- What of a session changed since somebody last looked.
ALTER TABLE turns ADD COLUMN changed bigint NOT NULL DEFAULT 0;
UPDATE turns SET changed = numbered.place
  FROM (SELECT id, row_number() OVER (PARTITION BY session ORDER BY created_at, id) AS place
          FROM turns) AS numbered
 WHERE numbered.id = turns.id;
CREATE INDEX turns_changed ON turns (session, changed);
