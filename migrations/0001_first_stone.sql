-- Accounts. An address is kept as typed and compared by its folded form. A deleted account keeps its row, so
-- that bids, items and their order stay: `erased_at` is set, the name says that it was deleted, and nothing
-- else of the person is left.
CREATE TABLE users (
    id            TEXT PRIMARY KEY,
    email         TEXT,
    email_folded  TEXT UNIQUE,
    name          TEXT NOT NULL,
    locale        TEXT,
    password_hash TEXT,
    created_at    BIGINT NOT NULL,
    erased_at     BIGINT,
    CHECK (erased_at IS NOT NULL
        OR (email IS NOT NULL AND email_folded IS NOT NULL AND password_hash IS NOT NULL))
);

-- A session is known by the SHA-256 of its token, so that a copy of the database signs nobody in. It ends at
-- `expires_at`, which moves as it is used.
CREATE TABLE sessions (
    token_hash  TEXT PRIMARY KEY,
    user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE auctions (
    id                           TEXT PRIMARY KEY,
    name                         TEXT NOT NULL,
    description                  TEXT NOT NULL,
    join_mode                    TEXT NOT NULL CHECK (join_mode IN ('FREE', 'INVITE_ONLY', 'LINK')),
    member_can_invite            BOOLEAN NOT NULL,
    bidder_visibility            TEXT NOT NULL CHECK (bidder_visibility IN ('VISIBLE', 'ANONYMOUS', 'PER_BID')),
    end_date                     BIGINT,
    item_end_mode                TEXT NOT NULL CHECK (item_end_mode IN ('AUCTION_END', 'CUSTOM', 'NONE')),
    base_unit_name               TEXT,
    base_unit_symbol             TEXT,
    default_anti_snipe           BOOLEAN NOT NULL,
    default_anti_snipe_threshold BIGINT NOT NULL,
    default_anti_snipe_extension BIGINT NOT NULL,
    closed_at                    BIGINT,
    version                      BIGINT NOT NULL DEFAULT 1,
    -- Where several servers write: raised by whoever changes something in the auction, its bids apart.
    revision                     BIGINT NOT NULL DEFAULT 0,
    created_at                   BIGINT NOT NULL,
    updated_at                   BIGINT NOT NULL
);

CREATE TABLE members (
    auction_id TEXT NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    user_id    TEXT NOT NULL REFERENCES users (id),
    role       TEXT NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'CREATOR', 'BIDDER')),
    joined_at  BIGINT NOT NULL,
    PRIMARY KEY (auction_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id);

CREATE TABLE currency_profiles (
    id              TEXT PRIMARY KEY,
    auction_id      TEXT NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    code            TEXT NOT NULL,
    name            TEXT NOT NULL,
    symbol          TEXT NOT NULL,
    rate_to_base    TEXT NOT NULL,
    input_mode      TEXT NOT NULL CHECK (input_mode IN ('SCALAR', 'DENOMINATION')),
    precision       BIGINT NOT NULL,
    fraction_policy TEXT NOT NULL CHECK (fraction_policy IN ('REJECT', 'DOWN', 'UP', 'HALF_UP', 'HALF_EVEN')),
    is_default      BOOLEAN NOT NULL,
    version         BIGINT NOT NULL DEFAULT 1,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (auction_id, code)
);
-- At most one default an auction, whoever writes.
CREATE UNIQUE INDEX currency_profiles_default ON currency_profiles (auction_id) WHERE is_default;

CREATE TABLE denominations (
    profile_id TEXT NOT NULL REFERENCES currency_profiles (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    code       TEXT NOT NULL,
    name       TEXT NOT NULL,
    symbol     TEXT NOT NULL,
    factor     TEXT NOT NULL,
    PRIMARY KEY (profile_id, position),
    UNIQUE (profile_id, code)
);

-- `params` is the rule's JSON as the engine writes it: its decimals are strings.
CREATE TABLE currency_rules (
    id                  TEXT PRIMARY KEY,
    auction_id          TEXT NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    currency_profile_id TEXT REFERENCES currency_profiles (id),
    rule_type           TEXT NOT NULL CHECK (rule_type IN ('MIN_INCREMENT', 'MIN_COMPONENT_RATIO', 'REQUIRED_DENOMINATION')),
    params              TEXT NOT NULL,
    enabled             BOOLEAN NOT NULL,
    position            BIGINT NOT NULL,
    version             BIGINT NOT NULL DEFAULT 1,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
);
CREATE INDEX currency_rules_by_auction ON currency_rules (auction_id, position, id);

-- What its bids have made of an item, apart from its end, is in the newest of them alone: the row is not written with
-- each bid. Nor does a bid raise `version`: what others know as the item's version is that and its bids together. The
-- ledger knows the item by `number`, the last 62 bits of its id: each bid writes it twice, and the id as text is four
-- times as long.
CREATE TABLE items (
    id                            TEXT PRIMARY KEY,
    number                        BIGINT NOT NULL UNIQUE,
    auction_id                    TEXT NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    creator_id                    TEXT NOT NULL REFERENCES users (id),
    name                          TEXT NOT NULL,
    description                   TEXT NOT NULL,
    is_published                  BOOLEAN NOT NULL,
    starts_at                     BIGINT,
    end_date                      BIGINT,
    closed_at                     BIGINT,
    currency_code                 TEXT,
    starting_bid                  TEXT,
    min_bid_increment             TEXT,
    min_bid_profile_id            TEXT REFERENCES currency_profiles (id),
    min_bid_constraint            TEXT,
    min_bid_normalized            TEXT,
    min_increment_normalized      TEXT,
    anti_snipe_enabled            BOOLEAN NOT NULL,
    anti_snipe_threshold_seconds  BIGINT NOT NULL,
    anti_snipe_extension_seconds  BIGINT NOT NULL,
    version                       BIGINT NOT NULL DEFAULT 1,
    created_at                    BIGINT NOT NULL,
    updated_at                    BIGINT NOT NULL
);
CREATE INDEX items_by_auction ON items (auction_id, id);

-- The ledger. Its key gives the order, the check for gaps and the replay of a stream. Each index more would be
-- written with every bid: by its bidder, say, at another place each time. Nor does it refer to its items and
-- currencies, which would be looked up for every bid: its batch holds them, and whoever removes one holds their
-- auction alone and looks whether there are bids.
CREATE TABLE bids (
    item_number         BIGINT NOT NULL,
    sequence            BIGINT NOT NULL,
    id                  TEXT NOT NULL,
    bidder_id           TEXT NOT NULL,
    currency_profile_id TEXT,
    amount              TEXT,
    representation      TEXT,
    normalized_amount   TEXT NOT NULL,
    is_anonymous        BOOLEAN NOT NULL,
    item_end_date       BIGINT,
    created_at          BIGINT NOT NULL,
    PRIMARY KEY (item_number, sequence)
);

-- The first answer to an accepted bid, kept in the bid's own transaction.
CREATE TABLE idempotency_keys (
    user_id      TEXT NOT NULL,
    item_id      TEXT NOT NULL REFERENCES items (id),
    key          TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    sequence     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (user_id, item_id, key)
);
