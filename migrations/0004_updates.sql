-- The turn of an update: at most one row, while one has this database to itself, for all servers on it. Whoever runs
-- the update says again and again that it is alive.
CREATE TABLE update_turn (
    id            TEXT PRIMARY KEY CHECK (id = 'update'),
    run_id        TEXT NOT NULL,
    alive_until   BIGINT NOT NULL,
    writes_closed BOOLEAN NOT NULL
);
