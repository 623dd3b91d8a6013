-- ID is the type of ids, SORT_KEY that of texts that are compared by their bytes. SQLite keeps the rows of a CLUSTERED
-- table in the order of its key: such a table has small rows, and a change of a row writes one page of the disk instead
-- of two.

-- Accounts. An e-mail is kept as typed and compared in its folded form. A deleted account keeps its row, so that its bids
-- and items keep their order: `erased_at` is set, the name says that the account was deleted, and nothing else of the
-- person remains. A disabled account has no sessions and can't sign in. `email_verified_at` is set once the user has opened
-- the link of a mail to this e-mail: only then does the e-mail give rights. A managed user has no e-mail, and signs in with
-- the number in a group: the hash is that of the PIN, and `card_hash` the SHA-256 of the secret on the card.
CREATE TABLE users (
    id              ID PRIMARY KEY,
    email           TEXT,
    email_folded    TEXT UNIQUE,
    email_verified_at BIGINT,
    -- When a mail to this e-mail was given up, until one arrives.
    email_failed_at BIGINT,
    name            TEXT NOT NULL,
    locale          TEXT,
    password_hash   TEXT,
    card_hash       TEXT,
    -- Signs cookies of browsers in which the user has signed in with this password.
    device_key      TEXT,
    time_zone       TEXT,
    theme           TEXT NOT NULL DEFAULT 'SYSTEM',
    -- The kinds of notifications that the user gets, and those that are mailed as well: a bit for each kind.
    notify          BIGINT NOT NULL DEFAULT 3007,
    mail            BIGINT NOT NULL DEFAULT 141,
    -- The secret in the links of mails that end mails. It signs nobody in.
    mail_token      TEXT UNIQUE,
    created_at      BIGINT NOT NULL,
    last_sign_in_at BIGINT,
    disabled_at     BIGINT,
    erased_at       BIGINT,
    CHECK (erased_at IS NOT NULL
        OR ((email IS NULL) = (email_folded IS NULL) AND password_hash IS NOT NULL AND device_key IS NOT NULL))
);

-- Sessions, by the SHA-256 of their tokens: a copy of the database signs nobody in. A session ends at `expires_at`, which
-- moves as the session is used; `last_used_at` is up to an hour old. Address and user agent are those of the sign-in.
CREATE TABLE sessions (
    token_hash   TEXT PRIMARY KEY,
    id           ID NOT NULL UNIQUE,
    user_id      ID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    address      TEXT NOT NULL,
    user_agent   TEXT
);
CREATE INDEX sessions_by_user ON sessions (user_id);

-- The newest changes of accounts, as signals, which every server reads once a second. The numbers ascend; transactions at one
-- time may have the same, and random ids.
CREATE TABLE account_changes (
    number BIGINT NOT NULL,
    id     BIGINT NOT NULL,
    signal TEXT NOT NULL,
    PRIMARY KEY (number, id)
) CLUSTERED;

-- Links with which a user sets a new password, at most one for each user, by the SHA-256 of their tokens. A link works
-- once.
CREATE TABLE reset_links (
    user_id    ID PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    expires_at BIGINT NOT NULL,
    -- The folded e-mail to which the link was mailed, which its use confirms.
    mailed_to  TEXT
);

-- Links that confirm the e-mail of a user, at most one for each user, by the SHA-256 of their tokens. A link works once, and
-- only while the user has the e-mail to which it was sent.
CREATE TABLE email_links (
    user_id      ID PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    email_folded TEXT NOT NULL,
    token_hash   TEXT NOT NULL UNIQUE,
    expires_at   BIGINT NOT NULL
);

-- The second factor of an account. The secret is kept as it is, since codes are computed from it; it is in force once a code
-- is confirmed. `last_step` is the newest time step whose code was accepted: none is accepted twice.
CREATE TABLE second_factors (
    user_id      ID PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret       TEXT NOT NULL,
    confirmed_at BIGINT,
    last_step    BIGINT
);

-- Codes that take the place of a code of the app, by their SHA-256. One that is used is deleted.
CREATE TABLE recovery_codes (
    user_id   ID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- People who bid together. `code` is the part of a sign-in by number that all people of the group share: the keepers read it
-- again, so that it is not hashed. Failed sign-ins before `open_until` lock no number.
CREATE TABLE groups (
    id         ID PRIMARY KEY,
    name       TEXT NOT NULL,
    code       TEXT NOT NULL UNIQUE,
    joinable   BOOLEAN NOT NULL,
    open_until BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- The people of groups, each with a number, with which a managed user signs in. `disabled_at` ends the sign-in by this number
-- alone. `list_id` is the request that last added or changed the person as one of a list, for its replay. `upgraded_at` is
-- when the managed user of the group became a full account, which its keepers may undo for a day.
CREATE TABLE group_people (
    group_id    ID NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    -- Keepers need none: null until one is given.
    number      BIGINT CHECK (number BETWEEN 1 AND 9999),
    user_id     ID NOT NULL REFERENCES users (id),
    role        TEXT NOT NULL,
    list_id     ID NOT NULL,
    disabled_at BIGINT,
    upgraded_at BIGINT,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (group_id, user_id),
    UNIQUE (group_id, number)
);
CREATE INDEX group_people_by_user ON group_people (user_id);

-- Users whom a keeper has removed from a group: its code does not bring them back.
CREATE TABLE removed_people (
    group_id   ID NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    user_id    ID NOT NULL REFERENCES users (id),
    removed_at BIGINT NOT NULL,
    PRIMARY KEY (group_id, user_id)
) CLUSTERED;

-- Sign-ins by number that failed, or whose PIN is being verified, of the last half hour. Without a number the failure was at a
-- number that no person of the group has, or the code is that of no group: it counts for the address alone.
CREATE TABLE number_failures (
    id        ID PRIMARY KEY,
    code      TEXT NOT NULL,
    number    BIGINT,
    address   TEXT NOT NULL,
    failed_at BIGINT NOT NULL
);
CREATE INDEX number_failures_by_number ON number_failures (code, number, failed_at);
CREATE INDEX number_failures_by_address ON number_failures (code, address, failed_at);
CREATE INDEX number_failures_by_age ON number_failures (failed_at);

-- What happened to a user, written in the transaction that caused it, or, if it is about who leads an item, soon after it:
-- see `notice_heads`. `created_at` is the time of the cause. `title` is the name of the item, the
-- auction or the book at that time, and `detail` is what the kind needs besides: the secret of an invite, the words of a balance.
-- `sequence` is the bid of the item whose price the words name: the price is read from the ledger when they are shown. Most
-- bids cause such a row, so that there is no further index and no foreign key. Accounts are never deleted, and a row outlives
-- its item and its auction.
CREATE TABLE notifications (
    user_id    ID NOT NULL,
    id         ID NOT NULL,
    kind       TEXT NOT NULL,
    auction_id ID,
    item_id    ID,
    title      TEXT,
    detail     TEXT,
    sequence   BIGINT,
    -- The book of a balance.
    book_id    ID,
    created_at BIGINT NOT NULL,
    read_at    BIGINT,
    PRIMARY KEY (user_id, id)
);

-- A record of what people own in one base unit. `starting_balance` is granted on joining; `credit_limit` is how far below
-- zero a holder may bid. `link_token` is the secret of the link with which users become holders: the keepers read it again, so
-- it is not hashed. Every transaction that changes what a holder has or has committed raises `revision`, and holds the
-- row's lock until its commit. `last_sequence` is the number of its newest entry.
CREATE TABLE books (
    id               ID PRIMARY KEY,
    name             TEXT NOT NULL,
    base_unit_name   TEXT NOT NULL,
    base_unit_plural TEXT,
    base_unit_symbol TEXT NOT NULL,
    starting_balance TEXT NOT NULL,
    credit_limit     TEXT NOT NULL,
    visibility       TEXT NOT NULL,
    link_token       TEXT NOT NULL UNIQUE,
    -- Limits on what is given, as JSON.
    caps             TEXT,
    -- How what is spent is shared, as JSON.
    share            TEXT,
    closed_at        BIGINT,
    version          BIGINT NOT NULL DEFAULT 1,
    revision         BIGINT NOT NULL DEFAULT 0,
    last_sequence    BIGINT NOT NULL DEFAULT 0,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL
);

-- The holders of books. A user who has left keeps the row, with which the balance comes back, and sees nothing of the book.
CREATE TABLE book_holders (
    book_id   ID NOT NULL REFERENCES books (id) ON DELETE CASCADE,
    user_id   ID NOT NULL REFERENCES users (id),
    role      TEXT NOT NULL,
    joined_at BIGINT NOT NULL,
    left_at   BIGINT,
    PRIMARY KEY (book_id, user_id)
) CLUSTERED;
CREATE INDEX book_holders_by_user ON book_holders (user_id);

-- The entries of a book, numbered without gaps. They are never changed. `balance` is that of the holder after the entry:
-- the newest entry of a holder has the balance in force. A CHARGE is for an outcome, which is charged once; a REVERSAL
-- `reverses` an entry, which is reversed once. Without `by_id` the clock or a bid caused the entry.
CREATE TABLE book_entries (
    book_id    ID NOT NULL REFERENCES books (id),
    sequence   BIGINT NOT NULL,
    holder_id  ID NOT NULL REFERENCES users (id),
    amount     TEXT NOT NULL,
    balance    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    reason     TEXT,
    item_id    ID,
    outcome_id ID,
    -- The copy of the item that the outcome is of, and the number of the outcome among those of the copy.
    outcome_copy   BIGINT,
    outcome_number BIGINT,
    reverses   BIGINT,
    -- The number of the run that has written the entry, or its reversal.
    run        BIGINT,
    -- The amount before caps, where they have left another.
    asked      TEXT,
    by_id      ID,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (book_id, sequence)
);
CREATE INDEX book_entries_by_holder ON book_entries (book_id, holder_id, sequence);
CREATE UNIQUE INDEX book_entries_by_reversal ON book_entries (book_id, reverses);
CREATE INDEX book_entries_by_item ON book_entries (item_id) WHERE item_id IS NOT NULL;
CREATE UNIQUE INDEX book_charges_by_outcome ON book_entries (outcome_id) WHERE kind = 'CHARGE';
-- Finds what was given since the beginning of a week.
CREATE INDEX book_entries_by_time ON book_entries (book_id, created_at) WHERE kind <> 'CHARGE';
CREATE INDEX book_entries_by_run ON book_entries (book_id, run, sequence) WHERE run IS NOT NULL;

-- Runs of a book: shares, decays, grants to several holders and imports, numbered without gaps. Their amounts are those of
-- their entries. `kept` is what a share has left of what it shared; a share of a pot names its auction, and its lot. A run that
-- an outcome has caused names it in `outcome_id`: without `reversed_by` a further outcome has reversed it. `params` may name
-- ten thousand holders: then `listed` has what a list of runs shows of them.
CREATE TABLE book_runs (
    book_id         ID NOT NULL REFERENCES books (id),
    number          BIGINT NOT NULL,
    kind            TEXT NOT NULL,
    params          TEXT NOT NULL,
    listed          TEXT,
    reason          TEXT,
    kept            TEXT NOT NULL,
    auction_id      ID,
    item_id         ID,
    outcome_id      ID,
    import_id       ID,
    period          TEXT,
    by_id           ID,
    created_at      BIGINT NOT NULL,
    reversed_at     BIGINT,
    reversed_by     ID,
    reversed_reason TEXT,
    PRIMARY KEY (book_id, number)
);
CREATE INDEX book_runs_by_auction ON book_runs (auction_id) WHERE auction_id IS NOT NULL;
CREATE UNIQUE INDEX book_runs_by_outcome ON book_runs (outcome_id) WHERE outcome_id IS NOT NULL;
CREATE INDEX book_runs_by_import ON book_runs (import_id) WHERE import_id IS NOT NULL;
CREATE INDEX book_runs_by_period ON book_runs (book_id, period) WHERE period IS NOT NULL;

-- Rows of a run without an entry: caps have left nothing of what was asked. `balance` is that of the holder.
CREATE TABLE book_run_rows (
    book_id   ID NOT NULL,
    run       BIGINT NOT NULL,
    position  BIGINT NOT NULL,
    holder_id ID NOT NULL REFERENCES users (id),
    asked     TEXT NOT NULL,
    balance   TEXT NOT NULL,
    PRIMARY KEY (book_id, run, position)
) CLUSTERED;

-- Grants of imports to e-mails that no holder had. Each is written when the user with the e-mail is a holder by an own act:
-- then the row has the sequence of the entry instead of the e-mail, for an undo of the import.
CREATE TABLE waiting_grants (
    id             ID PRIMARY KEY,
    book_id        ID NOT NULL REFERENCES books (id) ON DELETE CASCADE,
    import_id      ID NOT NULL,
    email          TEXT,
    email_folded   TEXT,
    amount         TEXT NOT NULL,
    reason         TEXT NOT NULL,
    by_id          ID NOT NULL REFERENCES users (id),
    entry          BIGINT,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    mail_failed_at BIGINT
);
CREATE INDEX waiting_grants_by_book ON waiting_grants (book_id, id);
CREATE INDEX waiting_grants_by_email ON waiting_grants (email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX waiting_grants_by_import ON waiting_grants (import_id);
CREATE INDEX waiting_grants_by_expiry ON waiting_grants (expires_at) WHERE entry IS NULL;

-- Mails to be sent: the outbox. A row is deleted when its mail was sent, or is not wanted any more. A server claims a row
-- by moving `due_at`; `unconfirmed` counts the claims of which it is not known whether the mail was sent. The address is
-- that of the account, or of the invite whose secret is in `detail`. `sequence` is the bid of the item whose price it names.
CREATE TABLE mails (
    id          ID PRIMARY KEY,
    user_id     ID,
    kind        TEXT NOT NULL,
    auction_id  ID,
    item_id     ID,
    title       TEXT,
    detail      TEXT,
    sequence    BIGINT,
    failures    BIGINT NOT NULL DEFAULT 0,
    unconfirmed BIGINT NOT NULL DEFAULT 0,
    created_at  BIGINT NOT NULL,
    due_at      BIGINT NOT NULL
);
CREATE INDEX mails_by_due ON mails (due_at);
-- Mails about accounts overtake all others.
CREATE INDEX mails_of_accounts ON mails (due_at)
    WHERE kind IN ('PASSWORD_RESET', 'CONFIRM_EMAIL', 'PASSWORD_CHANGED', 'EMAIL_CHANGED', 'UPGRADE_UNDONE',
        'SECOND_FACTOR_ON', 'SECOND_FACTOR_OFF', 'RECOVERY_CODES_RENEWED');
-- A newer mail with a link takes the place of an earlier one to the user.
CREATE INDEX mails_with_links_by_user ON mails (user_id, kind) WHERE kind IN ('PASSWORD_RESET', 'CONFIRM_EMAIL');
-- A user who is outbid again on an item before the mail is sent gets one.
CREATE UNIQUE INDEX mails_outbid ON mails (user_id, item_id) WHERE kind = 'OUTBID';

-- Addresses without a confirmed account to which invites were mailed, with the secret of the link that ends that.
CREATE TABLE invited_addresses (
    email_folded TEXT PRIMARY KEY,
    token        TEXT NOT NULL UNIQUE,
    refused_at   BIGINT
);

CREATE TABLE auctions (
    id                           ID PRIMARY KEY,
    -- The user who created it; the owner may be another by now.
    creator_id                   ID NOT NULL REFERENCES users (id),
    name                         TEXT NOT NULL,
    description                  TEXT NOT NULL,
    join_mode                    TEXT NOT NULL,
    -- The secret of the link with which users join a LINK auction. The managers read it again, so it is not hashed.
    link_token                   TEXT NOT NULL UNIQUE,
    member_can_invite            BOOLEAN NOT NULL,
    bidder_visibility            TEXT NOT NULL,
    readable_by                  TEXT NOT NULL,
    end_date                     BIGINT,
    item_end_mode                TEXT NOT NULL,
    base_unit_name               TEXT,
    base_unit_plural             TEXT,
    base_unit_symbol             TEXT,
    -- What its bidders have.
    book_id                      ID REFERENCES books (id),
    -- All of its people are members.
    group_id                     ID REFERENCES groups (id),
    default_anti_snipe           BOOLEAN NOT NULL,
    default_anti_snipe_threshold BIGINT NOT NULL,
    default_anti_snipe_extension BIGINT NOT NULL,
    -- The ISO 4217 code that lots begin with, and the unit of the goal, without currency profiles.
    currency_code                TEXT,
    -- What it is to bring in, in the base unit or in that currency.
    goal                         TEXT,
    -- Where and when buyers pay and collect.
    collection                   TEXT NOT NULL DEFAULT '',
    -- The item on the block. It may be closed, hidden or deleted since. Without a foreign key: items have one to auctions.
    block_item_id                ID,
    -- The SHA-256 of the secret in the address of the auction's screen.
    screen_token_hash            TEXT UNIQUE,
    closed_at                    BIGINT,
    -- When its deletion began: from then on it has no members, and its items are deleted part by part.
    deleted_at                   BIGINT,
    version                      BIGINT NOT NULL DEFAULT 1,
    -- Every change of anything in the auction raises it, except a bid.
    revision                     BIGINT NOT NULL DEFAULT 0,
    -- How many of its items are published. Each transaction that changes the number writes it.
    published_items              BIGINT NOT NULL DEFAULT 0,
    -- How many items it has, drafts included.
    all_items                    BIGINT NOT NULL DEFAULT 0,
    created_at                   BIGINT NOT NULL,
    updated_at                   BIGINT NOT NULL
);

-- Counts the open auctions that a user has created.
CREATE INDEX auctions_open_by_creator ON auctions (creator_id) WHERE closed_at IS NULL;

CREATE INDEX auctions_by_book ON auctions (book_id) WHERE book_id IS NOT NULL;

CREATE INDEX auctions_by_group ON auctions (group_id) WHERE group_id IS NOT NULL;

-- Auctions that the clock will close.
CREATE INDEX auctions_by_end ON auctions (end_date) WHERE closed_at IS NULL AND end_date IS NOT NULL;

CREATE INDEX auctions_deleted ON auctions (deleted_at) WHERE deleted_at IS NOT NULL;

-- `number` is that of the member in the group of the auction. While the auction is open, it is the one in force there.
CREATE TABLE members (
    auction_id ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    user_id    ID NOT NULL REFERENCES users (id),
    role       TEXT NOT NULL,
    number     BIGINT,
    joined_at  BIGINT NOT NULL,
    -- In the hall, or wherever the sale is: set by hand.
    present    BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (auction_id, user_id)
) CLUSTERED;
CREATE INDEX members_by_user ON members (user_id);
-- Finds members by their numbers in a group.
CREATE INDEX members_by_number ON members (auction_id, number) WHERE number IS NOT NULL;

-- Users whom a manager has removed from an auction. Only an invite brings them back.
CREATE TABLE removed_members (
    auction_id ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    user_id    ID NOT NULL REFERENCES users (id),
    removed_at BIGINT NOT NULL,
    PRIMARY KEY (auction_id, user_id)
) CLUSTERED;

-- Invites that were not used yet, at most one for each e-mail and auction. The managers and the sender read the token
-- again, so it is not hashed.
CREATE TABLE invites (
    id           ID PRIMARY KEY,
    auction_id   ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    email        TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    role         TEXT NOT NULL,
    token        TEXT NOT NULL UNIQUE,
    sender_id    ID NOT NULL REFERENCES users (id),
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    -- When the attempts to mail it ended without success.
    mail_failed_at BIGINT,
    UNIQUE (auction_id, email_folded)
);
CREATE INDEX invites_by_email ON invites (email_folded);
CREATE INDEX invites_by_sender ON invites (sender_id);

CREATE TABLE currency_profiles (
    id              ID PRIMARY KEY,
    auction_id      ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    code            TEXT NOT NULL,
    name            TEXT NOT NULL,
    plural          TEXT,
    symbol          TEXT NOT NULL,
    rate_to_base    TEXT NOT NULL,
    input_mode      TEXT NOT NULL,
    precision       BIGINT NOT NULL,
    fraction_policy TEXT NOT NULL,
    is_default      BOOLEAN NOT NULL,
    version         BIGINT NOT NULL DEFAULT 1,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (auction_id, code)
);
-- At most one default per auction.
CREATE UNIQUE INDEX currency_profiles_default ON currency_profiles (auction_id) WHERE is_default;

-- Amounts are written with the denominations that are `written`; each may be bid.
CREATE TABLE denominations (
    profile_id ID NOT NULL REFERENCES currency_profiles (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    code       TEXT NOT NULL,
    name       TEXT NOT NULL,
    plural     TEXT,
    symbol     TEXT NOT NULL,
    factor     TEXT NOT NULL,
    written    BOOLEAN NOT NULL,
    PRIMARY KEY (profile_id, position),
    UNIQUE (profile_id, code)
);

-- `params` is the JSON of the rule as the engine writes it: its decimals are strings.
CREATE TABLE currency_rules (
    id                  ID PRIMARY KEY,
    auction_id          ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    currency_profile_id ID REFERENCES currency_profiles (id),
    rule_type           TEXT NOT NULL,
    params              TEXT NOT NULL,
    enabled             BOOLEAN NOT NULL,
    position            BIGINT NOT NULL,
    version             BIGINT NOT NULL DEFAULT 1,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
);
CREATE INDEX currency_rules_by_auction ON currency_rules (auction_id, position, id);

-- A bid writes to the row of its item only where it moves the end. Everything else that bids change is in the newest of
-- them: the version of an item that clients see is `version` plus the sequence of that bid. A withdrawal raises `version`.
-- `closed_at` is set with the first outcome of the item.
CREATE TABLE items (
    id                            ID PRIMARY KEY,
    auction_id                    ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    lot_number                    TEXT NOT NULL,
    -- Has the natural order of lot numbers, and is the same for numbers that differ in case only.
    lot_key                       SORT_KEY NOT NULL,
    -- The value of a lot number without letters: the next number follows the greatest one.
    lot_integer                   BIGINT,
    creator_id                    ID NOT NULL REFERENCES users (id),
    seller_id                     ID NOT NULL REFERENCES users (id),
    name                          TEXT NOT NULL,
    -- The name in lower case, for sorting.
    name_folded                   TEXT NOT NULL,
    description                   TEXT NOT NULL,
    estimate                      TEXT,
    -- A JSON array of {id, alt, width, height, content} in the order in which they are shown: an item is read with all its
    -- images, of which there are ten at most. `content` names the files.
    images                        TEXT NOT NULL DEFAULT '[]',
    is_published                  BOOLEAN NOT NULL,
    starts_at                     BIGINT,
    end_date                      BIGINT,
    closed_at                     BIGINT,
    currency_code                 TEXT,
    starting_bid                  TEXT,
    min_bid_increment             TEXT,
    min_bid_profile_id            ID REFERENCES currency_profiles (id),
    min_bid_constraint            TEXT,
    min_bid_normalized            TEXT,
    min_increment_normalized      TEXT,
    anti_snipe_enabled            BOOLEAN NOT NULL,
    anti_snipe_threshold_seconds  BIGINT NOT NULL,
    anti_snipe_extension_seconds  BIGINT NOT NULL,
    -- OPEN; SEALED with the four columns after it; DRAW with `copies` and the last two: the currency of the price of a
    -- ticket, and a JSON object {ticket, normalized, per_person, again}. `seed` is the secret of a draw, chosen where one
    -- may decide.
    format                        TEXT NOT NULL DEFAULT 'OPEN',
    copies                        BIGINT NOT NULL DEFAULT 1,
    price_kind                    TEXT,
    plus                          TEXT,
    tie                           TEXT,
    seed                          TEXT,
    ticket_profile_id             ID REFERENCES currency_profiles (id),
    draw                          TEXT,
    version                       BIGINT NOT NULL DEFAULT 1,
    created_at                    BIGINT NOT NULL,
    updated_at                    BIGINT NOT NULL
);
CREATE INDEX items_by_auction ON items (auction_id, id);
CREATE UNIQUE INDEX items_by_lot ON items (auction_id, lot_key);
CREATE INDEX items_by_seller ON items (seller_id, id);
-- Items that the clock will close.
CREATE INDEX items_by_end ON items (end_date) WHERE closed_at IS NULL AND end_date IS NOT NULL;
-- Finds the next end in an auction.
CREATE INDEX items_by_next_end ON items (auction_id, end_date) WHERE closed_at IS NULL;

-- What a search finds items by, without case and accents: name, description and lot number. A search reads the texts of
-- an auction and nothing else, in the order of the key. The item has no foreign key, which would need another index.
CREATE TABLE item_texts (
    auction_id ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    item_id    ID NOT NULL,
    text       TEXT NOT NULL,
    PRIMARY KEY (auction_id, item_id)
) CLUSTERED;

-- Which members watch which items. Leaving the auction ends it.
CREATE TABLE watches (
    auction_id ID NOT NULL,
    user_id    ID NOT NULL,
    item_id    ID NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (auction_id, user_id, item_id),
    FOREIGN KEY (auction_id, user_id) REFERENCES members (auction_id, user_id) ON DELETE CASCADE
) CLUSTERED;
CREATE INDEX watches_by_item ON watches (item_id);
CREATE INDEX watches_by_user ON watches (user_id, item_id);

-- The order in which the items of an auction are called in a hall, where it is not that of their lot numbers. Items with a
-- position come before the others. Positions have gaps, so that an item that is moved takes a free one. Held items are left
-- out until they come back. Rows of closed items mean nothing.
CREATE TABLE running_order (
    item_id    ID PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    auction_id ID NOT NULL,
    position   BIGINT,
    is_held    BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX running_order_by_auction ON running_order (auction_id, position);

-- Items whose followers were notified that the end is near: once for each item, whichever server does it.
CREATE TABLE ending_items (
    item_id ID PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE
);

-- The ledger: a bid is appended, and never changes. `position` is its place among the bids of the auction, in the order in
-- which they were accepted, and is below the position of the auction's events. `previous` is the position of the bid before
-- it on the item, so that the bids of an item are read from the newest on. An index by item would have a bid write a page of
-- the disk for each item of its batch. Nor are there foreign keys, which would look up the item, the bidder and the currency
-- for every bid: the batch has locked the auction, and a transaction that deletes one of them locks the auction, too, and
-- refuses where there are bids.
CREATE TABLE bids (
    auction_id          ID NOT NULL,
    position            BIGINT NOT NULL,
    previous            BIGINT,
    item_id             ID NOT NULL,
    sequence            BIGINT NOT NULL,
    id                  ID NOT NULL,
    bidder_id           ID NOT NULL,
    currency_profile_id ID,
    amount              TEXT,
    representation      TEXT,
    normalized_amount   TEXT NOT NULL,
    is_anonymous        BOOLEAN NOT NULL,
    item_end_date       BIGINT,
    created_at          BIGINT NOT NULL,
    PRIMARY KEY (auction_id, position)
) CLUSTERED;

-- Bids that a clerk has placed for a member: `placed_by` is the account of the clerk, and `overridden` a JSON array of the
-- codes of the rules that did not count. A table of its own, so that other bids write nothing for it.
CREATE TABLE clerk_bids (
    item_id    ID NOT NULL,
    sequence   BIGINT NOT NULL,
    placed_by  ID NOT NULL,
    overridden TEXT NOT NULL,
    PRIMARY KEY (item_id, sequence)
) CLUSTERED;

-- The positions of some bids of an item, from which the ones before them are read, and of which the chart of many bids is
-- made: each 8th one up to 512, each 16th up to 1,024, each 32nd from then on.
CREATE TABLE bid_marks (
    item_id  ID NOT NULL,
    sequence BIGINT NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (item_id, sequence)
) CLUSTERED;

-- Who has bid on which items: the ledger has no index by bidder. `sequence` is a bid of the user on the item. The newest one
-- is fewer than 2,000 bids of the item past it, so that it is found without reading the others: only the first bid of a user
-- on an item writes the row, and later one that is farther away. As in the ledger, there are no foreign keys.
CREATE TABLE bidders (
    user_id  ID NOT NULL,
    item_id  ID NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (user_id, item_id)
) CLUSTERED;

-- What became of closed items: each of their copies has outcomes of its own. `number` counts those of a copy, 1, 2, 3 …: the
-- last one is in force. The first is written in the transaction that closes the item. `sequence` is the bid that a copy was
-- sold for, at `position` of the ledger. The columns of the price are set where the price is another than that bid: of a
-- sealed bid, and of a correction, which has no bid. The name of the winner stays as it was. Without `by_id` the clock closed
-- the item.
CREATE TABLE outcomes (
    id           ID PRIMARY KEY,
    auction_id   ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    item_id      ID NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    copy         BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    result       TEXT NOT NULL,
    sequence     BIGINT,
    position     BIGINT,
    winner_id    ID,
    winner_name  TEXT,
    currency_profile_id ID,
    amount       TEXT,
    representation TEXT,
    normalized_amount TEXT,
    reason       TEXT,
    by_id        ID,
    paid_at      BIGINT,
    collected_at BIGINT,
    created_at   BIGINT NOT NULL,
    UNIQUE (item_id, copy, number),
    CHECK ((result = 'SOLD') = (winner_id IS NOT NULL AND winner_name IS NOT NULL
        AND (sequence IS NOT NULL OR normalized_amount IS NOT NULL)))
);
CREATE INDEX outcomes_by_auction ON outcomes (auction_id, id);

-- The outcomes in force: of each copy of a closed item the last one.
CREATE VIEW outcomes_now AS
SELECT o.* FROM outcomes o
WHERE NOT EXISTS (
    SELECT 1 FROM outcomes n WHERE n.item_id = o.item_id AND n.copy = o.copy AND n.number > o.number);

-- Bids on sealed items, and tickets of draws. Until an item is closed nothing of its bids is in the ledger, in its events,
-- in counts or in prices; then the ledger gets those that stand. `receipt` counts the bids of an item, 1, 2, 3 …, in the
-- order in which they came. A member has one standing sealed bid, and any number of bids of `tickets`, which are null for
-- a sealed one: `ended_at` is when it was replaced, or withdrawn by `withdrawn_by`. `placed_by` is the account of a clerk
-- who has placed it for the member.
CREATE TABLE sealed_bids (
    item_id             ID NOT NULL,
    receipt             BIGINT NOT NULL,
    id                  ID NOT NULL,
    auction_id          ID NOT NULL,
    bidder_id           ID NOT NULL,
    currency_profile_id ID,
    amount              TEXT,
    representation      TEXT,
    normalized_amount   TEXT NOT NULL,
    is_anonymous        BOOLEAN NOT NULL,
    placed_by           ID,
    created_at          BIGINT NOT NULL,
    ended_at            BIGINT,
    withdrawn_by        ID,
    tickets             BIGINT,
    PRIMARY KEY (item_id, receipt)
) CLUSTERED;
CREATE INDEX sealed_bids_by_auction ON sealed_bids (auction_id);
CREATE INDEX sealed_bids_standing ON sealed_bids (bidder_id, item_id) WHERE ended_at IS NULL;

-- Bids that were taken back: the ledger itself never changes. `number` counts the withdrawals of an item, 1, 2, 3 …, in
-- the order in which they were made. `user_id` is the account that withdrew the bid, its bidder or a manager. `newest` is the
-- position of the newest bid of the item at that time, and `head` the last position of the auction's events with those of
-- the transaction.
CREATE TABLE withdrawals (
    item_id      ID NOT NULL REFERENCES items (id),
    sequence     BIGINT NOT NULL,
    position     BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    auction_id   ID NOT NULL REFERENCES auctions (id),
    withdrawn_by TEXT NOT NULL,
    user_id      ID NOT NULL,
    reason       TEXT NOT NULL,
    note         TEXT,
    withdrawn_at BIGINT NOT NULL,
    newest       BIGINT NOT NULL,
    head         BIGINT NOT NULL,
    PRIMARY KEY (item_id, sequence),
    UNIQUE (item_id, number)
);
CREATE INDEX withdrawals_by_auction ON withdrawals (auction_id, user_id);
CREATE INDEX withdrawals_by_head ON withdrawals (auction_id, head);

-- Where the bids of an item have led: the newest of all, the newest standing one, which is the highest, and the number of
-- withdrawn ones. The batch of a bid writes it. An item without bids has no row.
CREATE TABLE item_heads (
    item_id          ID PRIMARY KEY,
    auction_id       ID NOT NULL,
    last_sequence    BIGINT NOT NULL,
    last_position    BIGINT NOT NULL,
    leading_sequence BIGINT,
    leading_position BIGINT,
    withdrawals      BIGINT NOT NULL
) CLUSTERED;

-- Items with what follows from their auctions and their bids: who may see them, the end in force, the moment at which
-- the item or its auction was closed for good, where its bids have led, and the number of the outcome in force.
CREATE VIEW items_now AS
SELECT i.*,
       a.join_mode,
       CASE WHEN a.item_end_mode = 'NONE' THEN NULL ELSE COALESCE(i.end_date, a.end_date) END AS ends_at,
       COALESCE(i.closed_at, a.closed_at) AS closed_for_good_at,
       COALESCE(h.last_sequence, 0) AS last_sequence,
       h.last_position,
       h.leading_sequence,
       h.leading_position,
       COALESCE(h.withdrawals, 0) AS withdrawals,
       (SELECT o.number FROM outcomes o WHERE o.item_id = i.id AND o.copy = 1 ORDER BY o.number DESC LIMIT 1)
           AS outcome_number
FROM items i JOIN auctions a ON a.id = i.auction_id LEFT JOIN item_heads h ON h.item_id = i.id;

-- The first answer to an accepted bid, kept in the transaction of the bid. `user_id` is the account that sent it, which may
-- have placed the bid for a member.
CREATE TABLE idempotency_keys (
    user_id      ID NOT NULL,
    item_id      ID NOT NULL REFERENCES items (id),
    key          TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    sequence     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (user_id, item_id, key)
);

-- The calls of a hall that were executed: hammers and further outcomes, by their idempotency keys. A key counts for the
-- item, so that a call whose answer was lost counts once, whichever clerk sends it again.
CREATE TABLE hall_calls (
    item_id      ID NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    key          TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (item_id, key)
);
CREATE INDEX hall_calls_by_age ON hall_calls (created_at);

-- What a request with an idempotency key created, kept in the transaction that created it. `scope` names the collection,
-- such as `auctions` or `items/` with the id of an auction. The resource may be deleted since.
CREATE TABLE creations (
    user_id      ID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    scope        TEXT NOT NULL,
    key          TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    resource_id  ID NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (user_id, scope, key)
);
CREATE INDEX creations_by_age ON creations (created_at);

-- Imports of tables into a place: an auction, a group or a book. `hash` is that of the cells that were read. An import into a
-- book has the sequences of its first and its last entry; what other imports have written is in `import_rows`.
CREATE TABLE imports (
    id          ID PRIMARY KEY,
    place_id    ID NOT NULL,
    hash        TEXT NOT NULL,
    by_id       ID NOT NULL REFERENCES users (id),
    created     BIGINT NOT NULL,
    changed     BIGINT NOT NULL,
    unchanged   BIGINT NOT NULL,
    first_entry BIGINT,
    last_entry  BIGINT,
    created_at  BIGINT NOT NULL,
    undone_at   BIGINT,
    undone_by   ID REFERENCES users (id)
);
CREATE INDEX imports_by_place ON imports (place_id, id);
CREATE INDEX imports_by_hash ON imports (place_id, hash, id);

-- The items or people that an import has written. `mark` is their state right after it: as long as they have the same, nothing
-- has changed them. `before` is what they were, absent for those that the import has created.
CREATE TABLE import_rows (
    import_id  ID NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    subject_id ID NOT NULL,
    mark       TEXT NOT NULL,
    before     TEXT,
    PRIMARY KEY (import_id, subject_id)
);
-- The former names of people, which their deletion removes.
CREATE INDEX import_rows_changed ON import_rows (subject_id) WHERE before IS NOT NULL;

-- The events of an auction, in order. A row is what one transaction did in the auction: a JSON array of [item, first,
-- last, change], which are the sequences of the new bids of the item, and how it changed besides them, or nulls. Each
-- bid, and a change without bids, has a position of its own, 1, 2, 3 … within the auction; the row has its last one. Only
-- the newest rows are kept: the bids themselves are in the ledger. The item may be deleted since.
CREATE TABLE events (
    auction_id ID NOT NULL REFERENCES auctions (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    items      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (auction_id, position)
) CLUSTERED;

-- The last position given out. A transaction that takes the next ones locks the row until its commit, so that positions
-- become visible in their order: while the position is the same, no bid has been placed in the auction.
CREATE TABLE event_heads (
    auction_id    ID PRIMARY KEY REFERENCES auctions (id) ON DELETE CASCADE,
    last_position BIGINT NOT NULL
) CLUSTERED;

-- Up to which position of an auction's ledger the bidders were told who was outbid and who leads again. A job reads the bids
-- and withdrawals past it, and moves it in the transaction that writes what it has to tell.
CREATE TABLE notice_heads (
    auction_id ID PRIMARY KEY REFERENCES auctions (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL
) CLUSTERED;

-- The settings of the installation: one row, inserted with the first setting. The Deployment Admin is an account, which is
-- not erased as long as it is named here. `claim_code` is set only while there is none: with it a user may claim the role.
CREATE TABLE system_settings (
    id                  TEXT PRIMARY KEY CHECK (id = 'system'),
    deployment_admin_id ID REFERENCES users (id),
    auto_check_updates  BOOLEAN NOT NULL,
    -- The role of the Deployment Admin is for accounts with a second factor only.
    admin_second_factor BOOLEAN NOT NULL DEFAULT FALSE,
    claim_code          TEXT,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
);

-- What was done to the installation, by which account, and when. Without an actor it was done from a shell of the
-- machine. People are named by their accounts alone, so that nothing remains here of a deleted one. A sign-in, also a
-- failed one, has the address from which it was tried.
CREATE TABLE audit_log (
    id         ID PRIMARY KEY,
    actor_id   ID,
    act        TEXT NOT NULL,
    subject_id ID,
    detail     TEXT,
    address    TEXT,
    created_at BIGINT NOT NULL
);

-- The lease of the whole database: at most one row, while an update of the installation has it, for all servers. The
-- holder renews it until it ends. Once the holder has closed writes, no other transaction writes. The description is what
-- the holder says of itself to the other servers, as JSON.
CREATE TABLE database_lease (
    id            TEXT PRIMARY KEY CHECK (id = 'lease'),
    holder        TEXT NOT NULL,
    description   TEXT NOT NULL DEFAULT '',
    expires_at    BIGINT NOT NULL,
    writes_closed BOOLEAN NOT NULL
);

-- The id of this database: one row, written at the first start. The store of its pictures names it as well. `place` is where
-- the database was when it was served last, by which a copy that was made by other means is noticed: it gets another id.
-- `replaces` is the id of the database whose place this one has taken, until it has taken over its pictures.
CREATE TABLE database_identity (
    id       TEXT PRIMARY KEY CHECK (id = 'identity'),
    name     TEXT NOT NULL,
    replaces TEXT,
    place    TEXT
);

-- The servers of this database, by machine and data folder, with their releases and the tokens of their stores of pictures.
-- Each writes its row once a minute, so that the others tell of one that stays behind or keeps pictures elsewhere.
CREATE TABLE servers (
    id      TEXT PRIMARY KEY,
    host    TEXT NOT NULL,
    version TEXT NOT NULL,
    images  TEXT,
    seen_at BIGINT NOT NULL
);

-- The last answer about the latest release, by the SHA-256 of the address that was asked. A server sets `asked_at` before
-- it asks, so that all servers together ask once an hour. `notes` are Markdown, and `download_bytes` is the size of the
-- archive. An older answer stays while there is no new one: then `error` says why, and `detail` more about it, which is
-- shown to the Deployment Admin only.
CREATE TABLE release_checks (
    source         TEXT PRIMARY KEY,
    asked_at       BIGINT NOT NULL,
    tag            TEXT,
    url            TEXT,
    notes          TEXT,
    download_bytes BIGINT,
    error          TEXT,
    detail         TEXT
);
