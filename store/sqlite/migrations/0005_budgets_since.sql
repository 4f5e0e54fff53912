-- Counters whose windows are over are found by when they began.
CREATE INDEX budgets_since ON budgets (since);
