-- What was heard last of the latest release, by the SHA-256 of where it is asked. Whoever sets `asked_at` asks, so that
-- all servers together ask once an hour. What is known stays while nobody answers: then `error` says why.
CREATE TABLE release_checks (
    source   TEXT PRIMARY KEY,
    asked_at BIGINT NOT NULL,
    tag      TEXT,
    url      TEXT,
    error    TEXT
);

-- What a request with an idempotency key created, kept in the transaction that created it. `scope` names the collection,
-- such as `auctions` or `items/` with the id of an auction. The resource may be deleted since.
CREATE TABLE creations (
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    scope        TEXT NOT NULL,
    key          TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    resource_id  TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (user_id, scope, key)
);
CREATE INDEX creations_by_age ON creations (created_at);
