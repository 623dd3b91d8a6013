//! Attackers of groups and of mailboxes: guessers of PINs, lists of people, and invites.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::clients::Clients;
use super::work::{large, manager, repeat};
use crate::filling::PEOPLE;
use crate::load::{self, MeasureError};
use crate::target::{Group, Server};

/// People of a list, at most.
const LIST: usize = 500;

/// Guesses a PIN for each number of the group in turn, and for numbers that nobody has.
pub fn guesser(server: &Server) -> Result<Clients, MeasureError> {
    let (Group { code, .. }, tries) = (group(server)?, AtomicUsize::new(0));
    repeat(server, move |request| {
        let number = 2 + tries.fetch_add(1, Ordering::Relaxed) % (2 * PEOPLE);
        let body = format!(r#"{{"code":"{code}","number":{number},"pin":"918273"}}"#);
        load::send(request, "POST", "/api/auth/number", "", &body);
    })
}

/// Lists of people whose first number is taken: they are refused, before or after their PINs are hashed.
pub fn taken_lists(server: &Server) -> Result<Clients, MeasureError> {
    lists(server, 2)
}

/// Lists of people who are added, as often as writes are left.
pub fn new_lists(server: &Server) -> Result<Clients, MeasureError> {
    lists(server, 5_000)
}

fn lists(server: &Server, first: usize) -> Result<Clients, MeasureError> {
    let (Group { path, .. }, token, keys) = (group(server)?, manager(server)?, AtomicUsize::new(0));
    let people: Vec<String> =
        (first..).take(LIST).map(|number| format!(r#"{{"number":{number}}}"#)).collect();
    let (path, body) = (format!("/api{path}/people"), format!(r#"{{"people":[{}]}}"#, people.join(",")));
    repeat(server, move |request| {
        let key = keys.fetch_add(1, Ordering::Relaxed);
        load::post_keyed(request, &path, &token, &format!("{first}-{key}"), &body);
    })
}

/// Gives a person another number, and the number from before.
pub fn numbers(server: &Server) -> Result<Clients, MeasureError> {
    let (Group { path, .. }, token, turns) = (group(server)?, manager(server)?, AtomicUsize::new(0));
    repeat(server, move |request| {
        let (from, to) =
            if turns.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) { (3, 9_000) } else { (9_000, 3) };
        let body = format!(r#"{{"number":{to}}}"#);
        load::send(request, "PATCH", &format!("/api{path}/people/{from}"), &token, &body);
    })
}

/// Tables that give everybody in the group another name.
pub fn tables(server: &Server) -> Result<Clients, MeasureError> {
    let (Group { path, .. }, token, turns) = (group(server)?, manager(server)?, AtomicUsize::new(0));
    repeat(server, move |request| {
        let turn = turns.fetch_add(1, Ordering::Relaxed);
        let rows = (4..PEOPLE).map(|number| format!("{number},Person {number} {turn}\n"));
        let table: String = std::iter::once("number,name\n".to_owned()).chain(rows).collect();
        // Writing to a string can't fail.
        let _ = write!(
            request,
            "POST /api{path}/import HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
             idempotency-key: names-{turn}\r\ncontent-type: text/csv\r\ncontent-length: {}\r\n\r\n{table}",
            table.len()
        );
    })
}

/// Groups are deleted with their people, one after the other.
pub fn deletions(server: &Server) -> Result<Clients, MeasureError> {
    let (groups, token) = (server.target.filled.spare_groups.clone(), manager(server)?);
    if groups.is_empty() {
        return Err(MeasureError::NotFilled);
    }
    let turns = AtomicUsize::new(0);
    repeat(server, move |request| {
        let group = &groups[turns.fetch_add(1, Ordering::Relaxed) % groups.len()];
        load::send(request, "DELETE", &format!("/api{group}"), &token, "");
    })
}

/// Invites that are mailed to strangers.
pub fn invites(server: &Server) -> Result<Clients, MeasureError> {
    let (path, token, turns) = (large(server, "invites"), manager(server)?, AtomicUsize::new(0));
    repeat(server, move |request| {
        let turn = turns.fetch_add(1, Ordering::Relaxed);
        let body = format!(r#"{{"email":"stranger{turn}@example.net","role":"BIDDER"}}"#);
        load::post(request, &path, &token, &body);
    })
}

pub fn group(server: &Server) -> Result<Group, MeasureError> {
    server.target.filled.group.clone().ok_or(MeasureError::NotFilled)
}
