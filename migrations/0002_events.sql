-- What an auction's streams tell, in the order in which it happened. A row is what one transaction did in it: a JSON
-- array of [item, first, last, changed], which are the sequences of the item's new bids, or nulls, and whether something
-- of it changed besides them. Each bid, and a change without bids, has a position of its own, 1, 2, 3 … within the
-- auction; the row names its last one. Only the newest rows are kept: the bids themselves are in the ledger. An item may
-- be gone since. The auction is there, since whoever writes here holds it; the row goes with it.
CREATE TABLE events (
    auction_id TEXT NOT NULL,
    position   BIGINT NOT NULL,
    items      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (auction_id, position)
);

-- The position given out last, from the auction's first moment on. Whoever takes the next ones holds the row until the
-- commit, so that positions come to be seen in their order: while it is the same, no bid has come in the auction.
CREATE TABLE event_heads (
    auction_id    TEXT PRIMARY KEY REFERENCES auctions (id) ON DELETE CASCADE,
    last_position BIGINT NOT NULL
);
