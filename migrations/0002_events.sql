-- What an auction's streams tell, in the order in which it happened. A row is some bids of one item in a row, or
-- that the item changed, or both. Each bid, and a change without bids, has a position of its own, 1, 2, 3 … within
-- the auction; the row names its last one. Only the newest rows are kept: the bids themselves are in the ledger.
-- The item may be gone since. Its auction is there, since whoever writes here holds it; the row goes with it.
CREATE TABLE events (
    auction_id     TEXT NOT NULL,
    position       BIGINT NOT NULL,
    item_id        TEXT NOT NULL,
    first_sequence BIGINT,
    last_sequence  BIGINT,
    item_changed   BOOLEAN NOT NULL,
    created_at     BIGINT NOT NULL,
    PRIMARY KEY (auction_id, position),
    CHECK ((first_sequence IS NULL) = (last_sequence IS NULL)),
    CHECK (item_changed OR first_sequence IS NOT NULL)
);

-- The position given out last. Whoever takes the next ones holds the row until the commit, so that positions
-- come to be seen in their order.
CREATE TABLE event_heads (
    auction_id    TEXT PRIMARY KEY REFERENCES auctions (id) ON DELETE CASCADE,
    last_position BIGINT NOT NULL
);
