-- What of a channel waits to be opened, in the order in which it came.
ALTER TABLE events ADD COLUMN channel TEXT NOT NULL DEFAULT '';
CREATE INDEX events_of_channel ON events (app, channel, place) WHERE state = 0;
