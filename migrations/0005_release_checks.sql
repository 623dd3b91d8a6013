-- What was heard last of the latest release, by the SHA-256 of where it is asked. Whoever sets `asked_at` asks, so that
-- all servers together ask once an hour. What is known stays while nobody answers: then `error` says why.
CREATE TABLE release_checks (
    source   TEXT PRIMARY KEY,
    asked_at BIGINT NOT NULL,
    tag      TEXT,
    url      TEXT,
    error    TEXT
);
