//! Bids and pages of other users while hostile clients attack the server: each attack between two
//! measurements without one.
//!
//! Another attack is a function with its `start`, and one line in [`attacks`].

mod clients;
mod people;
mod readers;
mod rows;
mod sign_ins;
pub mod silent_store;
mod work;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use clients::{Clients, Requests};
use platform::net::raise_descriptors;

use crate::load::{self, MeasureError};
use crate::table::{Figure, Unit};
use crate::target::Server;
use crate::{bidders, filling, progress};

/// Connections of an attack that needs few.
const ATTACKERS: usize = 8;
/// Connections that never read.
const UNREAD: usize = 1_000;
/// Requests that each of them sends.
const PIPELINED: usize = 16;
/// Memory of the server meanwhile.
const UNREAD_MEGABYTES_MAX: f64 = 150.0;
/// Limit and aim for bids, pages and first sign-ins of others, relative to those without the attack.
const OTHERS: (f64, f64) = (3.0, 2.0);
/// The auction with many items.
pub const LARGE_AUCTION: usize = 3;
/// The item whose Markdown is expensive to render.
const MARKDOWN_ITEM: usize = 150;
/// Index of the first attacking user. Users before it bid, and users at the end read.
const FIRST_ATTACKER: usize = 100;
const READERS: Range<usize> = 250..252;
/// The users whose sessions all attackers together use.
const ATTACKING_USERS: usize = 200;

/// Hostile clients, and what is measured meanwhile.
struct Attack {
    name: &'static str,
    bids: Figure,
    /// Pages of items that other users look at.
    pages: Figure,
    /// Sign-ins of other users in new browsers.
    sign_ins: Figure,
    /// Memory of the server, if the attack is on it.
    memory: Option<Figure>,
    /// Starts the clients. They attack until they are dropped.
    start: fn(&Server) -> Result<Clients, MeasureError>,
}

fn attacks() -> Vec<Attack> {
    vec![
        Attack::new("8 anonymous clients on the largest file", largest_file),
        Attack::new("8 readers of a page of the longest descriptions", long_list),
        Attack::new("8 readers of Markdown that is expensive to render", markdown),
        Attack::new("1,000 connections that never read", unread)
            .on_memory("memory meanwhile, 1,000 connections that never read", UNREAD_MEGABYTES_MAX),
        Attack::new("8 connections of one user that write", writes),
        Attack::new("8 guessers of passwords", guesses),
        Attack::new("8 clients that sign in again and again", sign_ins),
        Attack::new("8 exports of one user", work::exports),
        Attack::new("8 dry runs of imports of one user", work::dry_imports),
        Attack::new("8 imports of one user", work::real_imports),
        Attack::new("8 searches of one user in 2,000 items", work::searches),
        Attack::new("8 lists of one user of 2,000 items by bids", work::by_bids),
        Attack::new("8 dashboards of one user", work::dashboards),
        Attack::new("8 refused forms of one user", work::refused_forms),
        Attack::new("8 copies of 2,000 items by one user", work::copies),
        Attack::new("8 tables of 250 lots of one user that change nothing", rows::small_tables),
        Attack::new("8 tables of 2,000 lots of one user that change nothing", rows::unchanged_tables),
        Attack::new("8 tables of one user that change 2,000 lots", rows::renaming_tables),
        Attack::new(
            "8 connections of one user that open an auction to readers and close it",
            rows::readers_to_and_fro,
        ),
        Attack::new("8 connections of one user that move the end of an auction", rows::moving_ends),
        Attack::new("8 connections of one user that schedule 2,000 items", rows::schedules),
        Attack::new("8 calls of one user of a lot that is not in the running order", rows::unknown_lots),
        Attack::new("8 forms of one user with 60 KB that are refused", rows::refused_lots),
        Attack::new("8 desks of one clerk with 2,000 lots", rows::desks),
        Attack::new("32 exports of one user, most of which are refused", rows::refused_exports),
        Attack::new("200 guessers of passwords at eight addresses", rows::many_guesses),
        Attack::new("8 guessers of PINs in a hall of 200 people at one address", people::guesser),
        Attack::new("8 lists of 500 people of one user that are refused", people::taken_lists),
        Attack::new("8 lists of 500 people of one user", people::new_lists),
        Attack::new("8 connections of one user that change the number of a person", people::numbers),
        Attack::new("8 tables of one user that rename 200 people", people::tables),
        Attack::new("8 connections of one user that invite by mail", people::invites),
        Attack::new("8 connections of one user that delete groups of 200 people", people::deletions),
        Attack::new(
            "8 connections of one user that take the group from an auction and give it back",
            rows::groups_to_and_fro,
        ),
        Attack::new("8 connections of one user that move lots in the running order", rows::places),
        Attack::new("8 grants of one user to 10,000 holders", rows::grants),
        Attack::new("8 grants of one user to 10,000 holders that are refused", rows::refused_grants),
        Attack::new("34 uploads of one user that hardly arrive", work::slow_uploads),
        Attack::new("8 pictures from a silent store for one user", work::pictures),
        Attack::new("8 pictures of the link of an auction from a silent store", work::pictures_of_link),
        Attack::new("1,000 clients without an account at one address", work::anonymous),
        // Afterwards the large auction has more items than the names of the other rows say.
        Attack::new("8 tables of one user that create and change 5,000 lots", rows::largest_tables),
    ]
}

impl Attack {
    fn new(name: &'static str, start: fn(&Server) -> Result<Clients, MeasureError>) -> Self {
        let (limit, aim) = OTHERS;
        let row = |name| Figure::cost(name, Unit::Ratio, limit, aim);
        let pages = row("the same, a page of another user");
        let sign_ins = row("the same, a first sign-in of another user");
        Self { name, bids: row(name), pages, sign_ins, memory: None, start }
    }

    fn on_memory(self, name: &'static str, megabytes: f64) -> Self {
        Self { memory: Some(Figure::cost(name, Unit::Megabytes, megabytes, megabytes / 2.0)), ..self }
    }
}

/// Times of the requests of other users, in seconds.
#[derive(Clone, Copy)]
struct Noticed {
    bids: f64,
    pages: f64,
    sign_ins: f64,
}

impl Noticed {
    /// A request was refused: no ratio is within the limit.
    const REFUSED: Self = Self { bids: f64::INFINITY, pages: f64::INFINITY, sign_ins: f64::INFINITY };

    /// Fails if any request is refused.
    async fn measure(server: &Server) -> Result<Self, MeasureError> {
        let (bids, pages, sign_ins) =
            tokio::try_join!(bidders::measure(server), readers::measure(server), sign_ins::measure(server))?;
        Ok(Self { bids, pages, sign_ins })
    }
}

/// Measures every attack whose name contains `chosen` once in each round.
pub async fn measure(server: &Server, rounds: u32, chosen: &str) -> Result<Vec<Figure>, MeasureError> {
    let mut attacks = attacks();
    attacks.retain(|attack| attack.name.contains(chosen));
    let mut alone = Figure::plain("bids without an attack, 95th percentile", Unit::PreciseMilliseconds);
    let mut pages_alone =
        Figure::plain("pages of items without an attack, 95th percentile", Unit::PreciseMilliseconds);
    let mut sign_ins_alone =
        Figure::plain("first sign-ins without an attack, 95th percentile", Unit::PreciseMilliseconds);
    let mut refusals = Figure::cost("attacks during which another user was refused", Unit::Count, 0.0, 0.0);
    for round in 1..=rounds {
        let mut refused = 0.0;
        progress(&format!("round {round} of {rounds}"));
        let mut before = Noticed::measure(server).await?;
        for attack in &mut attacks {
            progress(attack.name);
            let clients = (attack.start)(server)?;
            clients.attacking().await?;
            let during = match Noticed::measure(server).await {
                Err(error @ MeasureError::Refused { .. }) => {
                    progress(&format!("{}: a request of another user is {error}", attack.name));
                    refused += 1.0;
                    Noticed::REFUSED
                }
                measured => measured?,
            };
            let memory = server.processes.memory_bytes()?;
            clients.stop().await?;
            let after = Noticed::measure(server).await?;
            attack.bids.add(during.bids / before.bids.min(after.bids));
            attack.pages.add(during.pages / before.pages.min(after.pages));
            attack.sign_ins.add(during.sign_ins / before.sign_ins.min(after.sign_ins));
            if let Some(row) = &mut attack.memory {
                row.add(memory / 1e6);
            }
            alone.add(before.bids * 1e3);
            pages_alone.add(before.pages * 1e3);
            sign_ins_alone.add(before.sign_ins * 1e3);
            before = after;
        }
        refusals.add(refused);
    }
    let rows = attacks
        .into_iter()
        .flat_map(|attack| [attack.bids, attack.pages, attack.sign_ins].into_iter().chain(attack.memory));
    Ok([alone, pages_alone, sign_ins_alone, refusals].into_iter().chain(rows).collect())
}

/// The largest file of the API's documentation, compressed.
fn largest_file(server: &Server) -> Result<Clients, MeasureError> {
    let request =
        "GET /api/docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: localhost\r\naccept-encoding: br\r\n\r\n";
    Clients::start(server, ATTACKERS, Requests::each(move |_| request.to_owned()))
}

/// Signed-in clients that list the items with the longest descriptions.
fn long_list(server: &Server) -> Result<Clients, MeasureError> {
    signed_in(server, list_path(server))
}

/// Signed-in clients that request the page of an item with a table of 100 columns.
fn markdown(server: &Server) -> Result<Clients, MeasureError> {
    signed_in(server, server.target.filled.items.get(MARKDOWN_ITEM).cloned().ok_or(MeasureError::NotFilled)?)
}

fn signed_in(server: &Server, path: String) -> Result<Clients, MeasureError> {
    let tokens = server.target.filled.tokens.clone();
    let request = move |n: usize| {
        let mut request = String::new();
        load::get(&mut request, &path, &tokens[FIRST_ATTACKER + n]);
        request
    };
    Clients::start(server, ATTACKERS, Requests::each(request))
}

/// Connections of one user that changes the account again and again.
fn writes(server: &Server) -> Result<Clients, MeasureError> {
    let token = server.target.filled.owner.clone();
    let request = move |n: usize| {
        let mut request = String::new();
        load::send(&mut request, "PATCH", "/api/user", &token, &format!(r#"{{"name":"Owner {n}"}}"#));
        request
    };
    Clients::start(server, ATTACKERS, Requests::each(request))
}

/// Clients without an account that try one password with ever other e-mails, so that each guess is verified
/// until the address has too many failures.
fn guesses(server: &Server) -> Result<Clients, MeasureError> {
    let tries = AtomicUsize::new(0);
    sign_in(server, move |_| format!("nobody{}@example.org", tries.fetch_add(1, Ordering::Relaxed)))
}

/// Clients with the right passwords of all accounts, so that no account has too many sign-ins.
fn sign_ins(server: &Server) -> Result<Clients, MeasureError> {
    let tries = AtomicUsize::new(0);
    let accounts = server.target.filled.tokens.len();
    sign_in(server, move |_| {
        filling::email_of(tries.fetch_add(1, Ordering::Relaxed).checked_rem(accounts).unwrap_or(0) + 1)
    })
}

fn sign_in(
    server: &Server,
    email: impl Fn(usize) -> String + Send + Sync + 'static,
) -> Result<Clients, MeasureError> {
    let request = move |n: usize| {
        let (email, mut request) = (email(n), String::new());
        let body = format!(r#"{{"email":"{email}","password":"{}"}}"#, filling::PASSWORD);
        load::send(&mut request, "POST", "/api/auth/login", "", &body);
        request
    };
    Clients::start_elsewhere(server, ATTACKERS, Requests::each(request))
}

/// Signed-in clients, half of which ask for the list of items again and again, and half for their stream.
fn unread(server: &Server) -> Result<Clients, MeasureError> {
    raise_descriptors();
    let (tokens, list) = (server.target.filled.tokens.clone(), list_path(server));
    let stream = format!("/api{}/events", server.target.filled.auctions[1]);
    let requests = move |n: usize| {
        let (token, mut requests) = (&tokens[n % ATTACKING_USERS], String::new());
        if n.is_multiple_of(2) {
            load::get(&mut requests, &stream, token);
        } else {
            (0..PIPELINED).for_each(|_| load::get(&mut requests, &list, token));
        }
        requests
    };
    Clients::start(server, UNREAD, Requests::unread(requests))
}

fn list_path(server: &Server) -> String {
    format!("/api{}/items?limit=100", server.target.filled.auctions[1])
}
