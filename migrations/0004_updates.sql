-- The lease of the whole database: at most one row, while an update of the installation has it, for all servers. The
-- holder renews it until it ends. Once the holder has closed writes, no other transaction writes.
CREATE TABLE database_lease (
    id            TEXT PRIMARY KEY CHECK (id = 'lease'),
    holder        TEXT NOT NULL,
    expires_at    BIGINT NOT NULL,
    writes_closed BOOLEAN NOT NULL
);
