//! The order of the rooms (modules) of a crate. A room imports only from rooms before it.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Exception, Finding, check};
use super::source::{Source, below, words};

const ACCOUNTS: &[&str] = &[
    "codes",
    "ids",
    "path",
    "locale",
    "user_agent",
    "device",
    "credentials",
    "signal",
    "preferences",
    "person",
    "user",
    "groups",
    "name",
    "password",
    "hashing",
    "limits",
    "locks",
    "audit",
    "failed_sign_ins",
    "outbox",
    "new_browser",
    "session",
    "registration",
    "context",
    "managed",
    "extract",
    "reset_links",
    "email_links",
    "administration",
    "own_sessions",
    "sign_out",
    "change_preferences",
    "change_password",
    "reset_password",
    "forgot_password",
    "send_email_link",
    "confirm_email",
    "second_factor",
    "sign_in",
    "sign_in_with_code",
    "sign_in_by_number",
    "register",
    "upgrade",
    "change_locale",
    "profile",
    "erase",
    "manage",
    "routes",
];

const AUCTION_HOUSE: &[&str] = &[
    "codes",
    "ids",
    "path",
    "base_unit",
    "engine",
    "denomination",
    "engine_schema",
    "locks",
    "usage",
    "events",
    "notifications",
    "work",
    "context",
    "access",
    "imports",
    "waiting",
    "people",
    "inbox",
    "creations",
    "books",
    "auctions",
    "members",
    "groups",
    "currencies",
    "rules",
    "currency_sets",
    "images",
    "items",
    "bids",
    "export",
    "mail",
    "live",
];

const INSTALLATION: &[&str] = &[
    "codes",
    "ids",
    "config",
    "exposure",
    "command",
    "control",
    "journal",
    "needed_images",
    "context",
    "servers",
    "transfer",
    "settings",
    "releases",
    "backups",
    "supervisor",
    "shell",
    "updates",
    "check",
    "probes",
];

/// Folders and files of `server/src/pages`: what several nouns show, then the nouns.
const PAGES: &[&str] = &[
    "form",
    "field_problem",
    "redraw",
    "error",
    "header",
    "iso_currencies",
    "cldr",
    "money_style",
    "presentation",
    "viewer_locale",
    "request",
    "auction_facts",
    "demo",
    "form_route",
    "qr",
    "money",
    "amounts",
    "wire",
    "unit_form",
    "table_form",
    "import_file",
    "past_imports",
    "newest_bids",
    "cache",
    "public_page",
    "way_in",
    "account",
    "admin",
    "groups",
    "books",
    "items",
    "currencies",
    "members",
    "auctions",
    "dashboard",
    "draw",
    "fallback",
    "hall",
    "joining",
    "notifications",
    "start",
];

const EXCEPTIONS_OF_ACCOUNTS: &[Exception] = &[];
const EXCEPTIONS_OF_AUCTION_HOUSE: &[Exception] = &[];
const EXCEPTIONS_OF_INSTALLATION: &[Exception] = &[];
const EXCEPTIONS_OF_PLATFORM: &[Exception] = &[
    Exception {
        path: "server/platform/src/",
        what: "http → net",
        reason: "the address of a client, and the thread of its connection",
    },
    Exception {
        path: "server/platform/src/",
        what: "net → http",
        reason: "the address of a client is read from headers of proxies",
    },
    Exception {
        path: "server/platform/src/",
        what: "body → http",
        reason: "a body that can't be read is a problem",
    },
    Exception { path: "server/platform/src/", what: "http → body", reason: "the extractor of a body" },
];

/// An import of another room of the same crate.
struct Import {
    source: &'static Source,
    offset: usize,
    from: String,
    to: String,
}

#[test]
fn rooms_of_accounts_are_in_order() {
    in_order("server/accounts", ACCOUNTS, EXCEPTIONS_OF_ACCOUNTS);
}

#[test]
fn rooms_of_the_auction_house_are_in_order() {
    in_order("server/auction-house", AUCTION_HOUSE, EXCEPTIONS_OF_AUCTION_HOUSE);
}

#[test]
fn rooms_of_the_installation_are_in_order() {
    in_order("server/installation", INSTALLATION, EXCEPTIONS_OF_INSTALLATION);
}

#[test]
fn rooms_of_the_pages_are_in_order() {
    const FOLDER: &str = "server/src/pages/";
    let place = |room: &str| PAGES.iter().position(|name| *name == room);
    let mut findings = Vec::new();
    for source in below(&[FOLDER]).filter(|source| source.path != format!("{FOLDER}mod.rs")) {
        let file = source.path.strip_prefix(FOLDER).unwrap_or_default();
        let from = file.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        assert!(place(from).is_some(), "{FOLDER}{from}: give it a place in the order in tidy/rooms.rs");
        let named = source.code.match_indices("crate::pages::");
        let named = named.flat_map(|(at, mark)| first_names(&source.code, at + mark.len()));
        let upward = named
            .chain(super_paths(source, file))
            .filter(|(_, to)| to != from && place(to).is_some() && place(to) >= place(from));
        findings.extend(upward.map(|(offset, to)| Finding::new(source, offset, format!("{from} → {to}"))));
    }
    check("a room of the pages imports only from rooms before it in tidy/rooms.rs", &findings, &[]);
}

#[test]
fn rooms_of_the_platform_form_no_cycle() {
    let mut imports = imports("server/platform");
    // The rooms that remain after repeatedly removing those without imports in one direction form the cycles.
    loop {
        let importing: BTreeSet<_> = imports.iter().map(|import| import.from.clone()).collect();
        let imported: BTreeSet<_> = imports.iter().map(|import| import.to.clone()).collect();
        let before = imports.len();
        imports.retain(|import| importing.contains(&import.to) && imported.contains(&import.from));
        if imports.len() == before {
            break;
        }
    }
    let findings = imports.iter().map(Import::finding).collect::<Vec<_>>();
    check(
        "the rooms import each other in a cycle: move what both need below them",
        &findings,
        EXCEPTIONS_OF_PLATFORM,
    );
}

#[test]
fn a_batch_of_bids_knows_no_verb() {
    let verbs =
        ["bids::closing::", "bids::hammer::", "bids::place::", "bids::validate::", "bids::withdraw::"];
    let imports = below(&["server/auction-house/src/bids/batch/"]).flat_map(|source| {
        let named = verbs.iter().flat_map(|verb| source.code.match_indices(verb));
        named.map(move |(offset, verb)| Finding::new(source, offset, verb))
    });
    check(
        "the verbs judge on the state of a batch, which names none of them",
        &imports.collect::<Vec<_>>(),
        &[],
    );
}

/// `crate/room` of a file, by its path.
pub fn room(path: &str) -> Option<String> {
    let (crate_path, file) = path.split_once("/src/")?;
    let (_, crate_name) = crate_path.rsplit_once('/')?;
    let name = file.split('/').next()?.trim_end_matches(".rs");
    Some(format!("{crate_name}/{name}"))
}

fn in_order(folder: &str, order: &[&str], exceptions: &[Exception]) {
    let place = |room: &str| order.iter().position(|name| *name == room);
    let rooms: BTreeSet<_> = below(&[folder]).filter_map(name_of_room).filter(|name| name != "lib").collect();
    let unknown: Vec<_> = rooms.iter().filter(|name| place(name).is_none()).collect();
    assert!(unknown.is_empty(), "{folder}: give the rooms {unknown:?} a place in the order in tidy/rooms.rs");

    let imports = imports(folder);
    let upward = imports.iter().filter(|import| place(&import.to) >= place(&import.from));
    let findings = upward.map(Import::finding).collect::<Vec<_>>();
    check("a room imports only from rooms before it in the order of tidy/rooms.rs", &findings, exceptions);
}

fn name_of_room(source: &Source) -> Option<String> {
    room(&source.path).and_then(|name| Some(name.split_once('/')?.1.to_owned()))
}

impl Import {
    fn finding(&self) -> Finding {
        Finding::new(self.source, self.offset, format!("{} → {}", self.from, self.to))
    }
}

/// All imports between rooms of one crate. `lib.rs` declares the rooms and is not one; an item that it
/// exports counts as one of the item's room.
fn imports(folder: &str) -> Vec<Import> {
    let exports = exports(folder);
    let mut found = Vec::new();
    for source in below(&[folder]) {
        let Some(from) = name_of_room(source).filter(|name| name != "lib") else { continue };
        let root_items = crate_paths(&source.code).chain(super_paths(source, file_of(source)));
        for (offset, name) in root_items {
            // Another name with a capital is an item of `lib.rs`; a macro is exported there.
            let is_macro = source.code[offset + name.len()..].starts_with('!');
            let to = exports.get(&name).cloned().unwrap_or(name);
            let is_room = to.starts_with(|first: char| first.is_ascii_lowercase());
            if is_room && !is_macro && to != from {
                found.push(Import { source, offset, from: from.clone(), to });
            }
        }
    }
    found
}

/// The items that `lib.rs` exports from rooms by `pub use`, each with its room.
fn exports(folder: &str) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for source in below(&[folder]).filter(|source| source.path.ends_with("/src/lib.rs")) {
        for statement in source.code.split("pub use ").skip(1) {
            let mut path = words(statement.split(';').next().unwrap_or("")).map(|(_, word)| word.to_owned());
            let room = path.next().unwrap_or_default();
            exports.extend(path.map(|item| (item, room.clone())));
        }
    }
    exports
}

/// The first names of paths that begin with `crate::`, also of `crate::{a::b, c}`.
fn crate_paths(code: &str) -> impl Iterator<Item = (usize, String)> {
    code.match_indices("crate::").flat_map(|(at, mark)| first_names(code, at + mark.len()))
}

/// The first names after as many `super::` as lead from a file to the root of its crate, or of the pages.
/// `file` is its path below that root.
fn super_paths<'a>(source: &'a Source, file: &str) -> impl Iterator<Item = (usize, String)> + use<'a> {
    let depth = file.split('/').count() - usize::from(file.ends_with("/mod.rs"));
    let up = "super::".repeat(depth);
    let code = &source.code;
    let ends = code.match_indices(&up).map(|(at, up)| at + up.len()).collect::<Vec<_>>();
    ends.into_iter().flat_map(|end| first_names(code, end))
}

/// The path of a file below the root of its crate.
fn file_of(source: &Source) -> &str {
    source.path.split_once("/src/").map_or("", |(_, file)| file)
}

fn first_names(code: &str, start: usize) -> Vec<(usize, String)> {
    let name = |at: usize| words(&code[at..]).next().map(|(skipped, word)| (at + skipped, word.to_owned()));
    if !code[start..].starts_with('{') {
        return name(start).into_iter().collect();
    }
    let (mut depth, mut names) = (0, Vec::new());
    for (offset, character) in code[start..].char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && matches!(character, '{' | ',') {
            names.extend(name(start + offset + 1));
        }
    }
    names
}
