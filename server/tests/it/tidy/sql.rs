//! SQL is in stores, and a table is named by the store of its own room only.

use std::collections::BTreeSet;

use super::finding::{Exception, Finding, check};
use super::rooms::room;
use super::source::{Piece, Source, below, item_length, read, root, words};

const CRATES: &[&str] = &["app/", "rules-engine/", "server/", "xtask/"];

/// Every table and view with the room whose store names it.
const OWNERS: &[(&str, &str)] = &[
    ("account_changes", "accounts/signal"),
    ("audit_log", "accounts/audit"),
    ("auctions", "auction-house/auctions"),
    ("bid_marks", "auction-house/bids"),
    ("bidders", "auction-house/bids"),
    ("bids", "auction-house/bids"),
    ("book_entries", "auction-house/books"),
    ("book_holders", "auction-house/books"),
    ("book_run_rows", "auction-house/books"),
    ("book_runs", "auction-house/books"),
    ("books", "auction-house/books"),
    ("clerk_bids", "auction-house/bids"),
    ("creations", "auction-house/creations"),
    ("hall_calls", "auction-house/creations"),
    ("currency_profiles", "auction-house/currencies"),
    ("currency_rules", "auction-house/rules"),
    ("database_identity", "platform/db"),
    ("database_lease", "platform/db"),
    ("denominations", "auction-house/currencies"),
    ("email_links", "accounts/email_links"),
    ("ending_items", "auction-house/items"),
    ("event_heads", "auction-house/events"),
    ("events", "auction-house/events"),
    ("group_people", "accounts/groups"),
    ("groups", "accounts/groups"),
    ("idempotency_keys", "auction-house/bids"),
    ("import_rows", "auction-house/imports"),
    ("imports", "auction-house/imports"),
    ("invited_addresses", "auction-house/notifications"),
    ("invites", "auction-house/access"),
    ("item_heads", "auction-house/items"),
    ("item_texts", "auction-house/items"),
    ("items", "auction-house/items"),
    ("items_now", "auction-house/items"),
    ("mails", "accounts/outbox"),
    ("members", "auction-house/access"),
    ("notice_heads", "auction-house/notifications"),
    ("notifications", "auction-house/notifications"),
    ("number_failures", "accounts/groups"),
    ("outcomes", "auction-house/items"),
    ("outcomes_now", "auction-house/items"),
    ("sealed_bids", "auction-house/bids"),
    ("recovery_codes", "accounts/second_factor"),
    ("release_checks", "installation/releases"),
    ("removed_members", "auction-house/access"),
    ("removed_people", "accounts/groups"),
    ("reset_links", "accounts/reset_links"),
    ("running_order", "auction-house/items"),
    ("second_factors", "accounts/second_factor"),
    ("servers", "installation/servers"),
    ("sessions", "accounts/session"),
    ("system_settings", "accounts/administration"),
    ("waiting_grants", "auction-house/waiting"),
    ("users", "accounts/user"),
    ("watches", "auction-house/items"),
    ("withdrawals", "auction-house/bids"),
];

/// Reads every table and writes none.
const USAGE: &str = "auction-house/usage";

const EXCEPTIONS_OF_SQL: &[Exception] = &[];

const EXCEPTIONS_OF_TABLES: &[Exception] = &[
    Exception {
        path: "server/accounts/src/user/store.rs",
        what: "reads second_factors of accounts/second_factor",
        reason: "one query reads a user with whether signing in takes a code",
    },
    Exception {
        path: "server/accounts/src/groups/store",
        what: "reads users of accounts/user",
        reason: "one query reads the people of a group with their names, or signs one of them in",
    },
    Exception {
        path: "server/accounts/src/session/store.rs",
        what: "reads users of accounts/user",
        reason: "one query reads a session with its user",
    },
    Exception {
        path: "server/accounts/src/reset_links/store.rs",
        what: "reads users of accounts/user",
        reason: "one query reads the user of a link",
    },
    Exception {
        path: "server/accounts/src/manage/store.rs",
        what: "reads users of accounts/user",
        reason: "the Deployment Admin also lists disabled accounts, each with the last sign-in",
    },
    Exception {
        path: "server/accounts/src/outbox/store.rs",
        what: "reads users of accounts/user",
        reason: "one statement adds a mail only for a user who wants its kind",
    },
    Exception {
        path: "server/auction-house/src/bids/store/leads.rs",
        what: "reads items of auction-house/items",
        reason: "one query reads the bids that outbid others, without those on sealed items",
    },
    Exception {
        path: "server/auction-house/src/bids/store/sealed.rs",
        what: "reads items of auction-house/items",
        reason: "one query reads the sealed bids of a user on items that are not closed",
    },
    Exception {
        path: "server/auction-house/src/bids/store/sealed.rs",
        what: "reads users of accounts/user",
        reason: "one query reads sealed bids with the names of their bidders",
    },
    Exception {
        path: "server/auction-house/src/imports/store.rs",
        what: "reads users of accounts/user",
        reason: "one query reads imports with the names of their users",
    },
    Exception {
        path: "server/auction-house/src/notifications/store",
        what: "reads members of auction-house/access",
        reason: "one query reads the members who want a kind of notifications",
    },
    Exception {
        path: "server/auction-house/src/notifications/store",
        what: "reads users of accounts/user",
        reason: "one statement writes a notification only for a user who wants its kind",
    },
    Exception {
        path: "server/auction-house/src/notifications/store",
        what: "reads items of auction-house/items",
        reason: "one query reads notifications with the names of their items",
    },
    Exception {
        path: "server/auction-house/src/notifications/store",
        what: "reads auctions of auction-house/auctions",
        reason: "one query reads notifications with the names of their auctions",
    },
    Exception {
        path: "server/auction-house/src/access/store",
        what: "reads users of accounts/user",
        reason: "a member is listed with a name, and a deleted account does not join",
    },
    Exception {
        path: "server/auction-house/src/access/store",
        what: "reads group_people of accounts/groups",
        reason: "a user becomes a member with the number in the group of the auction",
    },
    Exception {
        path: "server/auction-house/src/access/store",
        what: "reads auctions of auction-house/auctions",
        reason: "a user becomes a member with the number in the group of the auction",
    },
    Exception {
        path: "server/auction-house/src/auctions/store",
        what: "reads items of auction-house/items",
        reason: "an auction closes after the end of its last item",
    },
    Exception {
        path: "server/auction-house/src/auctions/store",
        what: "reads currency_profiles of auction-house/currencies",
        reason: "one query reads an auction with whether it has currency profiles",
    },
    Exception {
        path: "server/auction-house/src/auctions/store",
        what: "reads members of auction-house/access",
        reason: "one query reads an auction with the role of its viewer",
    },
    Exception {
        path: "server/auction-house/src/bids/store.rs",
        what: "reads items_now of auction-house/items",
        reason: "idempotency keys are deleted once their item has ended",
    },
    Exception {
        path: "server/auction-house/src/bids/store.rs",
        what: "reads users of accounts/user",
        reason: "one query reads a page of bids with the names of their bidders",
    },
    Exception {
        path: "server/auction-house/src/books/store",
        what: "reads users of accounts/user",
        reason: "one query reads a page of entries or holders with their names",
    },
    Exception {
        path: "server/auction-house/src/items/store",
        what: "reads auctions of auction-house/auctions",
        reason: "the auction decides the end in force of an item",
    },
    Exception {
        path: "server/auction-house/src/items/store",
        what: "reads bids of auction-house/bids",
        reason: "the newest standing bid is the item's highest",
    },
    Exception {
        path: "server/auction-house/src/items/store/outcomes.rs",
        what: "reads withdrawals of auction-house/bids",
        reason: "an item is sold to the bidder of a standing bid",
    },
    Exception {
        path: "server/auction-house/src/items/store.rs",
        what: "reads members of auction-house/access",
        reason: "one query reads an item with the role of its viewer",
    },
    Exception {
        path: "server/auction-house/src/items/store/watches.rs",
        what: "reads members of auction-house/access",
        reason: "a watch locks the membership that it ends with",
    },
    Exception {
        path: "server/auction-house/src/items/store",
        what: "reads users of accounts/user",
        reason: "one query reads a page of items with the names of creators and bidders",
    },
    Exception {
        path: "server/auction-house/src/bids/store.rs",
        what: "reads items_now of auction-house/items",
        reason: "idempotency keys are deleted once their item has closed",
    },
    Exception {
        path: "server/auction-house/src/bids/store/prices.rs",
        what: "reads item_heads of auction-house/items",
        reason: "one query walks the bids of an item from its newest on",
    },
    Exception {
        path: "server/auction-house/src/locks/store.rs",
        what: "reads auctions of auction-house/auctions",
        reason: "a batch of bids locks its auctions and compares their revisions",
    },
    Exception {
        path: "server/auction-house/src/locks/store.rs",
        what: "reads books of auction-house/books",
        reason: "a batch of bids locks the books of its auctions and compares their revisions",
    },
    Exception {
        path: "server/auction-house/src/locks/store.rs",
        what: "writes books of auction-house/books",
        reason: "a transaction that appends to a book raises its revision",
    },
    Exception {
        path: "server/auction-house/src/locks/store.rs",
        what: "reads event_heads of auction-house/events",
        reason: "a batch of bids compares the last positions of its auctions",
    },
    Exception {
        path: "server/accounts/src/locks/store.rs",
        what: "reads users of accounts/user",
        reason: "a change of an account locks the account",
    },
    Exception {
        path: "server/accounts/src/locks/store.rs",
        what: "reads groups of accounts/groups",
        reason: "a change of the people of a group locks the group",
    },
    Exception {
        path: "server/installation/src/settings/store.rs",
        what: "reads system_settings of accounts/administration",
        reason: "one row holds the Deployment Admin and the other settings",
    },
    Exception {
        path: "server/installation/src/settings/store.rs",
        what: "writes system_settings of accounts/administration",
        reason: "one statement changes the Deployment Admin and the other settings",
    },
    Exception {
        path: "server/auction-house/src/locks/store.rs",
        what: "writes auctions of auction-house/auctions",
        reason: "a transaction that changes an auction raises its revision",
    },
    Exception {
        path: "server/auction-house/src/locks/store.rs",
        what: "writes books of auction-house/books",
        reason: "a transaction that changes a book raises its revision",
    },
];

/// What a statement does with a table.
const READS: &str = "reads";
const WRITES: &str = "writes";

#[test]
fn sql_is_in_stores() {
    let outside = below(CRATES).filter(|source| !is_store(&source.path));
    let findings: Vec<_> = outside
        .flat_map(|source| {
            let statements = source.strings.iter().filter(|piece| is_statement(&piece.text));
            statements.map(|piece| Finding::new(source, piece.offset, "SQL"))
        })
        .collect();
    check("move the statement to the store of the room whose table it names", &findings, EXCEPTIONS_OF_SQL);
}

#[test]
fn a_table_is_named_by_the_store_of_its_room() {
    let mut findings = Vec::new();
    for source in below(&["server/"]) {
        let here = room(&source.path).unwrap_or_default();
        for (offset, table, access) in tables(source) {
            let owner = OWNERS.iter().find(|(name, _)| *name == table).map_or("", |(_, owner)| owner);
            let may = here == owner || (here == USAGE && access == READS);
            if !may {
                findings.push(Finding::new(source, offset, format!("{access} {table} of {owner}")));
            }
        }
    }
    check("ask the store of that room, or put the question into usage", &findings, EXCEPTIONS_OF_TABLES);
}

#[test]
fn every_table_has_an_owner() {
    let mut created = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("migrations")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".sql") {
            created.extend(created_in(&read(&format!("migrations/{name}"))));
        }
    }
    let owned: BTreeSet<String> = OWNERS.iter().map(|(table, _)| table.to_string()).collect();
    assert_eq!(
        owned, created,
        "OWNERS in tidy/sql.rs names every table and view of migrations/, and no other"
    );
}

/// The tables and views that a migration creates.
fn created_in(migration: &str) -> impl Iterator<Item = String> {
    let without_comments = migration.lines().map(|line| line.split("--").next().unwrap_or(""));
    let text: String = without_comments.collect::<Vec<_>>().join("\n");
    let found: Vec<_> = words(&text).map(|(_, word)| word.to_owned()).collect();
    let created =
        found.windows(3).filter(|words| words[0] == "CREATE" && (words[1] == "TABLE" || words[1] == "VIEW"));
    created.map(|words| words[2].clone()).collect::<Vec<_>>().into_iter()
}

fn is_store(path: &str) -> bool {
    path.ends_with("/store.rs") || path.contains("/store/") || path.starts_with("server/platform/src/db/")
}

/// Whether a text holds a statement that reads or writes a table.
fn is_statement(text: &str) -> bool {
    let found: Vec<_> = words(text).map(|(_, word)| word).collect();
    let follows = |first: &str, second: &str| found.windows(2).any(|pair| pair == [first, second]);
    let both = |first: &str, second: &str| found.contains(&first) && found.contains(&second);
    both("SELECT", "FROM") || both("UPDATE", "SET") || follows("INSERT", "INTO") || follows("DELETE", "FROM")
}

/// Every table that the SQL of a file names, and how.
fn tables(source: &Source) -> Vec<(usize, &str, &'static str)> {
    let mut found: Vec<_> = source.strings.iter().flat_map(tables_in_text).collect();
    // `bulk_statement!(insert bids [...])` builds the statement from the names.
    for (start, mark) in source.code.match_indices("!(insert ") {
        let call = &source.code[start..start + item_length(&source.code[start..])];
        found.extend(
            words(&call[mark.len()..]).next().map(|(at, table)| (start + mark.len() + at, table, WRITES)),
        );
    }
    // `db::insert(conn, "items", …)` builds the statement from the columns.
    for piece in &source.strings {
        let before = source.code[..piece.offset].trim_end_matches('"').trim_end();
        if before.ends_with("db::insert(conn,") || before.ends_with("db::update(conn,") {
            found.push((piece.offset, &piece.text, WRITES));
        }
    }
    found.retain(|(_, table, _)| OWNERS.iter().any(|(name, _)| name == table));
    found
}

fn tables_in_text(piece: &Piece) -> Vec<(usize, &str, &'static str)> {
    let found: Vec<_> = words(&piece.text).collect();
    let named = found.windows(2).enumerate().filter_map(|(index, pair)| {
        let before = index.checked_sub(1).map_or("", |index| found[index].1);
        let access = match pair[0].1 {
            "FROM" if before == "DELETE" => WRITES,
            "INTO" | "UPDATE" | "TABLE" => WRITES,
            "FROM" | "JOIN" => READS,
            _ => return None,
        };
        Some((piece.offset + pair[1].0, pair[1].1, access))
    });
    named.collect()
}
