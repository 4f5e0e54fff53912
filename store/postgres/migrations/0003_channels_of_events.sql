-- What of a channel waits to be opened, in the order in which it came. The program before writes no
-- channel: what it stored is opened as it did it, in no order, until its last node is gone.
ALTER TABLE events ADD COLUMN channel bytea NOT NULL DEFAULT '';
CREATE INDEX events_of_channel ON events (app, channel, place) WHERE state = 0;
