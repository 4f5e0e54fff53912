-- How much was used up in a window of time: one row a counter, begun anew in each window.
CREATE TABLE budgets (
  app TEXT NOT NULL,
  counter TEXT NOT NULL,
  since INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (app, counter)
) STRICT, WITHOUT ROWID;
