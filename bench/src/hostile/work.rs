//! Attackers that let the server work for them: exports, imports, searches, refused forms, copies and pages.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::clients::{Clients, Requests};
use super::{ATTACKERS, FIRST_ATTACKER, LARGE_AUCTION};
use crate::filling;
use crate::load::{self, MeasureError};
use crate::target::Server;

/// Rows of an imported table.
const ROWS: usize = 5_000;
/// Clients without an account.
const ANONYMOUS: usize = 1_000;

/// A manager exports a large auction.
pub fn exports(server: &Server) -> Result<Clients, MeasureError> {
    let (token, path) = (manager(server)?, large(server, "export"));
    repeat(server, move |request| load::get(request, &path, &token))
}

pub fn dry_imports(server: &Server) -> Result<Clients, MeasureError> {
    imports(server, "?dryRun=true")
}

pub fn real_imports(server: &Server) -> Result<Clients, MeasureError> {
    imports(server, "")
}

fn imports(server: &Server, query: &'static str) -> Result<Clients, MeasureError> {
    let filled = &server.target.filled;
    let (token, book) = (filled.owner.clone(), filled.book.clone().ok_or(MeasureError::NotFilled)?);
    let mut table = String::from("email,amount,reason\n");
    for row in 0..ROWS {
        // Writing to a string can't fail.
        let _ = writeln!(table, "{},1,Cakes", filling::email_of(row % filled.tokens.len() + 1));
    }
    let keys = AtomicUsize::new(0);
    repeat(server, move |request| {
        let key = keys.fetch_add(1, Ordering::Relaxed);
        let _ = write!(
            request,
            "POST /api{book}/import{query} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
             idempotency-key: {key}\r\ncontent-type: text/csv\r\ncontent-length: {}\r\n\r\n{table}",
            table.len()
        );
    })
}

/// A manager copies an auction with its items.
pub fn copies(server: &Server) -> Result<Clients, MeasureError> {
    let (token, path) = (manager(server)?, large(server, "copy"));
    repeat(server, move |request| load::post(request, &path, &token, r#"{"name":"Copy","items":true}"#))
}

pub fn searches(server: &Server) -> Result<Clients, MeasureError> {
    by_one(server, large(server, "items?q=nothing"))
}

pub fn by_bids(server: &Server) -> Result<Clients, MeasureError> {
    by_one(server, large(server, "items?sort=bids"))
}

pub fn pictures(server: &Server) -> Result<Clients, MeasureError> {
    by_one(server, server.target.filled.picture.clone().ok_or(MeasureError::NotFilled)?)
}

/// The same picture as for everyone with the link of its auction.
pub fn pictures_of_link(server: &Server) -> Result<Clients, MeasureError> {
    let path = server.target.filled.picture_of_link.clone().ok_or(MeasureError::NotFilled)?;
    repeat(server, move |request| {
        let _ = write!(request, "GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    })
}

pub fn dashboards(server: &Server) -> Result<Clients, MeasureError> {
    by_one(server, "/dashboard".to_owned())
}

/// Forms that are refused.
pub fn refused_forms(server: &Server) -> Result<Clients, MeasureError> {
    let token = server.target.filled.tokens[FIRST_ATTACKER].clone();
    repeat(server, move |request| {
        let _ = write!(
            request,
            "POST /auctions/new HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: 5\r\n\r\nname="
        );
    })
}

pub fn anonymous(server: &Server) -> Result<Clients, MeasureError> {
    platform::net::raise_descriptors();
    let request = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    Clients::start(server, ANONYMOUS, Requests::each(move |_| request.to_owned()))
}

/// Uploads of one user that hardly arrive.
pub fn slow_uploads(server: &Server) -> Result<Clients, MeasureError> {
    let filled = &server.target.filled;
    let (token, item) = (filled.owner.clone(), filled.items[0].clone());
    let head = format!(
        "POST /api{item}/images HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n--b\r\n\
         content-disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\r\n"
    );
    Clients::start(server, 34, Requests::dripping(move |_| head.clone()))
}

/// Requests the path for one user, on several connections.
fn by_one(server: &Server, path: String) -> Result<Clients, MeasureError> {
    let token = server.target.filled.tokens[FIRST_ATTACKER].clone();
    repeat(server, move |request| load::get(request, &path, &token))
}

pub fn repeat(
    server: &Server,
    write: impl Fn(&mut String) + Send + Sync + 'static,
) -> Result<Clients, MeasureError> {
    let request = move |_| {
        let mut request = String::new();
        write(&mut request);
        request
    };
    Clients::start(server, ATTACKERS, Requests::each(request))
}

/// The session of the next manager of the large auction, who has not attacked yet.
pub fn manager(server: &Server) -> Result<String, MeasureError> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let managers = &server.target.filled.managers;
    let next = NEXT.fetch_add(1, Ordering::Relaxed).checked_rem(managers.len());
    next.and_then(|next| managers.get(next)).cloned().ok_or(MeasureError::NotFilled)
}

/// A path of the API below the large auction.
pub fn large(server: &Server, path: &str) -> String {
    format!("/api{}/{path}", server.target.filled.auctions[LARGE_AUCTION])
}
