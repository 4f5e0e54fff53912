-- What of a session changed since somebody last looked.
ALTER TABLE turns ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
UPDATE turns SET changed = rowid;
CREATE INDEX turns_changed ON turns (session, changed);
