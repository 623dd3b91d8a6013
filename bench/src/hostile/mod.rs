//! Bids while hostile clients attack the server: each attack between two measurements without one.
//!
//! Another attack is a file in this folder with its `start`, and one line in [`attacks`].

mod clients;

use std::sync::atomic::{AtomicUsize, Ordering};

use clients::{Clients, Requests};
use platform::net::raise_descriptors;

use crate::load::{self, LoadError};
use crate::table::{Row, Unit};
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
/// Limits and aims for bids while files are loaded, and while the server works for the attackers.
const FILES: (f64, f64) = (2.0, 1.2);
const WORK: (f64, f64) = (4.0, 2.0);

/// Hostile clients, and what is measured meanwhile.
struct Attack {
    bids: Row,
    /// Memory of the server, if the attack is on it.
    memory: Option<Row>,
    /// Starts the clients. They attack until they are dropped.
    start: fn(&Server) -> Result<Clients, LoadError>,
}

fn attacks() -> Vec<Attack> {
    vec![
        Attack::new("8 anonymous clients on the largest file", FILES, largest_file),
        Attack::new("8 readers of a page of the longest descriptions", WORK, long_list),
        Attack::new("8 readers of Markdown that is expensive to render", WORK, markdown),
        Attack::new("1,000 connections that never read", WORK, unread)
            .on_memory("memory meanwhile, 1,000 connections that never read", UNREAD_MEGABYTES_MAX),
        Attack::new("8 connections of one user that write", WORK, writes),
        Attack::new("8 guessers of passwords", WORK, guesses),
        Attack::new("8 clients that sign in again and again", WORK, sign_ins),
    ]
}

impl Attack {
    /// An attack during which bids keep to a limit, with its aim.
    fn new(
        name: &'static str,
        (limit, aim): (f64, f64),
        start: fn(&Server) -> Result<Clients, LoadError>,
    ) -> Self {
        Self { bids: Row::cost(name, Unit::Ratio, limit, aim), memory: None, start }
    }

    fn on_memory(self, name: &'static str, megabytes: f64) -> Self {
        Self { memory: Some(Row::cost(name, Unit::Megabytes, megabytes, megabytes / 2.0)), ..self }
    }
}

/// Measures every attack once in each round.
pub async fn measure(server: &Server, rounds: u32) -> Result<Vec<Row>, LoadError> {
    let mut attacks = attacks();
    let mut alone = Row::plain("bids without an attack, 95th percentile", Unit::PreciseMilliseconds);
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let mut before = bidders::measure(server).await?;
        for attack in &mut attacks {
            let clients = (attack.start)(server)?;
            clients.attacking().await?;
            let during = bidders::measure(server).await?;
            let memory = server.processes.memory_bytes()?;
            clients.stop().await?;
            let after = bidders::measure(server).await?;
            attack.bids.add(during / before.min(after));
            if let Some(row) = &mut attack.memory {
                row.add(memory / 1e6);
            }
            alone.add(before * 1e3);
            before = after;
        }
    }
    let rows = attacks.into_iter().flat_map(|attack| std::iter::once(attack.bids).chain(attack.memory));
    Ok(std::iter::once(alone).chain(rows).collect())
}

/// The largest file of the API's documentation, compressed.
fn largest_file(server: &Server) -> Result<Clients, LoadError> {
    let request =
        "GET /api/docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: localhost\r\naccept-encoding: br\r\n\r\n";
    Clients::start(server, ATTACKERS, Requests::each(move |_| request.to_owned()))
}

/// Signed-in clients that list the items with the longest descriptions.
fn long_list(server: &Server) -> Result<Clients, LoadError> {
    signed_in(server, list_path(server))
}

/// Signed-in clients that request the page of an item with a table of 100 columns.
fn markdown(server: &Server) -> Result<Clients, LoadError> {
    signed_in(server, server.target.filled.items.last().cloned().ok_or(LoadError::NotFilled)?)
}

fn signed_in(server: &Server, path: String) -> Result<Clients, LoadError> {
    let tokens = server.target.filled.tokens.clone();
    let request = move |n: usize| {
        let mut request = String::new();
        load::get(&mut request, &path, &tokens[n]);
        request
    };
    Clients::start(server, ATTACKERS, Requests::each(request))
}

/// Connections of one user that changes the account again and again.
fn writes(server: &Server) -> Result<Clients, LoadError> {
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
fn guesses(server: &Server) -> Result<Clients, LoadError> {
    let tries = AtomicUsize::new(0);
    sign_in(server, move |_| format!("nobody{}@example.org", tries.fetch_add(1, Ordering::Relaxed)))
}

/// Clients with the right passwords of all accounts, so that no account has too many sign-ins.
fn sign_ins(server: &Server) -> Result<Clients, LoadError> {
    let tries = AtomicUsize::new(0);
    let accounts = server.target.filled.tokens.len();
    sign_in(server, move |_| {
        filling::email_of(tries.fetch_add(1, Ordering::Relaxed).checked_rem(accounts).unwrap_or(0) + 1)
    })
}

fn sign_in(
    server: &Server,
    email: impl Fn(usize) -> String + Send + Sync + 'static,
) -> Result<Clients, LoadError> {
    let request = move |n: usize| {
        let (email, mut request) = (email(n), String::new());
        let body = format!(r#"{{"email":"{email}","password":"{}"}}"#, filling::PASSWORD);
        load::send(&mut request, "POST", "/api/auth/login", "", &body);
        request
    };
    Clients::start(server, ATTACKERS, Requests::each(request))
}

/// Signed-in clients, half of which ask for the list of items again and again, and half for their stream.
fn unread(server: &Server) -> Result<Clients, LoadError> {
    raise_descriptors();
    let (tokens, list) = (server.target.filled.tokens.clone(), list_path(server));
    let stream = format!("/api{}/events", server.target.filled.auctions[1]);
    let requests = move |n: usize| {
        let (token, mut requests) = (&tokens[n % tokens.len()], String::new());
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
