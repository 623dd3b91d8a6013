//! Attackers whose requests touch many rows, or make the server read much before it refuses them.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::clients::{Clients, Requests};
use super::people::group;
use super::work::{large, manager, repeat};
use super::{ATTACKERS, LARGE_AUCTION};
use crate::load::{self, MeasureError};
use crate::subject::BenchSubject;
use crate::target::{Group, Server};

/// Items of the large auction.
const ITEMS: usize = 2_000;
/// Rows of the largest table.
const MOST: usize = 5_000;
/// Rows of a small table.
const FEW: usize = 250;
/// Bytes of a large form, nearly as many as are read.
const FORM_BYTES: usize = 60_000;
/// Connections that sign in at the same time.
const GUESSERS: usize = 200;

/// Tables of a few kilobytes that change nothing.
pub fn small_tables(server: &Server) -> Result<Clients, MeasureError> {
    tables(server, FEW, |lot, _| format!("{lot},Item {lot}\n"))
}

/// Tables of all items that change nothing.
pub fn unchanged_tables(server: &Server) -> Result<Clients, MeasureError> {
    tables(server, ITEMS, |lot, _| format!("{lot},Item {lot}\n"))
}

/// Tables that change the name of every item.
pub fn renaming_tables(server: &Server) -> Result<Clients, MeasureError> {
    tables(server, ITEMS, |lot, turn| format!("{lot},Item {lot} {turn}\n"))
}

/// Tables of as many rows as there may be. The first one creates items, all others change each name.
pub fn largest_tables(server: &Server) -> Result<Clients, MeasureError> {
    tables(server, MOST, |lot, turn| format!("{lot},Item {lot} {turn}\n"))
}

fn tables(
    server: &Server,
    rows: usize,
    row: impl Fn(usize, usize) -> String + Send + Sync + 'static,
) -> Result<Clients, MeasureError> {
    let (token, path) = (manager(server)?, large(server, "items/import"));
    let turns = AtomicUsize::new(0);
    repeat(server, move |request| {
        let turn = turns.fetch_add(1, Ordering::Relaxed);
        let table: String =
            std::iter::once("lot,name\n".to_owned()).chain((1..=rows).map(|lot| row(lot, turn))).collect();
        // Writing to a string can't fail.
        let _ = write!(
            request,
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
             idempotency-key: {rows}-{turn}\r\ncontent-type: text/csv\r\ncontent-length: {}\r\n\r\n{table}",
            table.len()
        );
    })
}

/// The auction is opened to readers and closed to them again.
pub fn readers_to_and_fro(server: &Server) -> Result<Clients, MeasureError> {
    patches(server, manager(server)?, |turn| {
        let readers = if turn.is_multiple_of(2) { "ANYONE" } else { "MEMBERS" };
        format!(r#"{{"readableBy":"{readers}"}}"#)
    })
}

/// The end of the auction is moved again and again.
pub fn moving_ends(server: &Server) -> Result<Clients, MeasureError> {
    patches(server, manager(server)?, |turn| format!(r#"{{"endDate":"2099-01-01T00:{:02}:00Z"}}"#, turn % 60))
}

/// The group is taken from the auction, and given to it again.
pub fn groups_to_and_fro(server: &Server) -> Result<Clients, MeasureError> {
    let Group { path, .. } = group(server)?;
    let id = path.trim_start_matches("/groups/").to_owned();
    // The owner alone sets the group.
    let owner = server.target.filled.owner.clone();
    patches(server, owner, move |turn| {
        if turn.is_multiple_of(2) {
            r#"{"groupId":null}"#.to_owned()
        } else {
            format!(r#"{{"groupId":"{id}"}}"#)
        }
    })
}

fn patches(
    server: &Server,
    token: String,
    body: impl Fn(usize) -> String + Send + Sync + 'static,
) -> Result<Clients, MeasureError> {
    let path = format!("/api{}", server.target.filled.auctions[LARGE_AUCTION]);
    let turns = AtomicUsize::new(0);
    repeat(server, move |request| {
        let body = body(turns.fetch_add(1, Ordering::Relaxed));
        load::send(request, "PATCH", &path, &token, &body);
    })
}

/// The ends of all items are set one after the other.
pub fn schedules(server: &Server) -> Result<Clients, MeasureError> {
    let (token, path) = (manager(server)?, large(server, "schedule"));
    let turns = AtomicUsize::new(0);
    repeat(server, move |request| {
        let turn = turns.fetch_add(1, Ordering::Relaxed) % 60;
        let body = format!(r#"{{"firstEnd":"2098-01-01T00:{turn:02}:00Z","intervalSeconds":1}}"#);
        load::send(request, "POST", &path, &token, &body);
    })
}

/// Two items change places again and again, until there is no room between their neighbours and the order is
/// numbered anew.
pub fn places(server: &Server) -> Result<Clients, MeasureError> {
    let (token, path) = (manager(server)?, large(server, "running-order"));
    let before: usize = BenchSubject::Hostile.auctions()[..LARGE_AUCTION].iter().sum();
    let ids = server.target.filled.items[before..][..3].iter().filter_map(|page| page.rsplit('/').next());
    let ids: Vec<String> = ids.map(str::to_owned).collect();
    let [first, second, third] = <[String; 3]>::try_from(ids).map_err(|_| MeasureError::NotFilled)?;
    let turns = AtomicUsize::new(0);
    repeat(server, move |request| {
        let is_even = turns.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        let item = if is_even { &first } else { &second };
        let body = format!(r#"{{"itemId":"{item}","before":"{third}"}}"#);
        load::send(request, "PUT", &path, &token, &body);
    })
}

/// Takes a little from every holder of a book that has as many as it may have.
pub fn grants(server: &Server) -> Result<Clients, MeasureError> {
    grants_of(server, r#"{"holders":"ALL","amount":"-1","reason":"Cakes"}"#)
}

/// Grants to every holder that are beyond what a balance may be.
pub fn refused_grants(server: &Server) -> Result<Clients, MeasureError> {
    grants_of(server, r#"{"holders":"ALL","amount":"999999999999999","reason":"Cakes"}"#)
}

fn grants_of(server: &Server, body: &'static str) -> Result<Clients, MeasureError> {
    let filled = &server.target.filled;
    let (token, book) = (filled.owner.clone(), filled.book.clone().ok_or(MeasureError::NotFilled)?);
    let (path, keys) = (format!("/api{book}/entries"), AtomicUsize::new(0));
    repeat(server, move |request| {
        let key = keys.fetch_add(1, Ordering::Relaxed);
        load::post_keyed(request, &path, &token, &format!("grant-{key}"), body);
    })
}

/// Calls of a lot that is not in the running order.
pub fn unknown_lots(server: &Server) -> Result<Clients, MeasureError> {
    forms(server, "clerk/order", "call=UP&lot=00000000-0000-7000-8000-000000000000".to_owned())
}

/// Many lots whose cells are wrong.
pub fn refused_lots(server: &Server) -> Result<Clients, MeasureError> {
    let mut form = String::new();
    let mut row = 0;
    while form.len() < FORM_BYTES {
        let _ = write!(form, "lots.{0}.minimum=1%2C2%2C3&lots.{0}.ends=x&", row % 64);
        row += 1;
    }
    forms(server, "items/add", form)
}

fn forms(server: &Server, below: &str, form: String) -> Result<Clients, MeasureError> {
    let token = manager(server)?;
    let path = format!("{}/{below}", server.target.filled.auctions[LARGE_AUCTION]);
    repeat(server, move |request| {
        let _ = write!(
            request,
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
            form.len()
        );
    })
}

/// The desk of a clerk, with all lots.
pub fn desks(server: &Server) -> Result<Clients, MeasureError> {
    let token = manager(server)?;
    let path = format!("{}/clerk/desk", server.target.filled.auctions[LARGE_AUCTION]);
    repeat(server, move |request| load::get(request, &path, &token))
}

/// Exports on so many connections that most are refused.
pub fn refused_exports(server: &Server) -> Result<Clients, MeasureError> {
    let (token, path) = (manager(server)?, large(server, "export"));
    let request = move |_| {
        let mut request = String::new();
        load::get(&mut request, &path, &token);
        request
    };
    Clients::start(server, 4 * ATTACKERS, Requests::each(request))
}

/// Wrong passwords for e-mails that nobody has, on many connections.
pub fn many_guesses(server: &Server) -> Result<Clients, MeasureError> {
    let tries = AtomicUsize::new(0);
    let request = move |_| {
        let mut request = String::new();
        let body = format!(
            r#"{{"email":"nobody{}@example.org","password":"seven brass farthings"}}"#,
            tries.fetch_add(1, Ordering::Relaxed)
        );
        load::send(&mut request, "POST", "/api/auth/login", "", &body);
        request
    };
    Clients::start_elsewhere(server, GUESSERS, Requests::each(request))
}
