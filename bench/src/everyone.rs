//! What bids cost while others read without an account, bids in an auction with a group, and sign-ins by
//! number.

use std::time::Duration;

use platform::net::raise_descriptors;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::books::bids;
use crate::client::{BenchClient, text};
use crate::load::{self, Load, MeasureError, Measured};
use crate::table::{Figure, Unit};
use crate::target::Server;
use crate::{bidders, progress};

/// Readers without an account. Each follows the stream of an item and loads its page again and again.
const GUESTS: usize = 200;
const PAGE_EVERY: Duration = Duration::from_secs(4);
/// Connections that sign in: one password or PIN at a time is verified on each core.
const SIGN_INS: usize = 2;
const PASSWORD: &str = "seven brass farthings";

/// Measures everything in each round, bids with others between two measurements without them.
pub async fn measure(server: &Server, length: Duration, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    raise_descriptors();
    let mut rows = [
        Figure::cost(
            "time for a bid with 200 readers without an account ÷ without, p95",
            Unit::Ratio,
            2.5,
            1.5,
        ),
        Figure::speed(
            "accepted bids in an auction with a group ÷ without, 256 connections on 50 items",
            0.8,
            0.97,
        ),
        Figure::cost("processor time for a sign-in by number ÷ by password", Unit::Ratio, 1.1, 1.05),
    ];
    let [without, with_group] = &*server.target.filled.auctions else { return Err(MeasureError::NotFilled) };
    let door = prepare(server, without, with_group).await?;
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let alone = bidders::measure(server).await?;
        let mut guests = open_guests(server).await?;
        let with_guests = bidders::measure(server).await?;
        guests.shutdown().await;
        let again = bidders::measure(server).await?;

        let before = bids(server, without, length).await?.accepted();
        let of_group = bids(server, with_group, length).await?.accepted();
        let after = bids(server, without, length).await?.accepted();
        let by_password = sign_ins(server, "/api/auth/login", &door.by_password, length).await?;
        let by_number = sign_ins(server, "/api/auth/number", &door.by_number, length).await?;
        let results = [
            2.0 * with_guests / (alone + again),
            2.0 * of_group / (before + after),
            by_number.cpu_each() / by_password.cpu_each(),
        ];
        for (row, number) in rows.iter_mut().zip(results) {
            row.add(number);
        }
    }
    Ok(rows.into())
}

/// The bodies of the two sign-ins.
struct Door {
    by_password: String,
    by_number: String,
}

/// Opens the first auction to readers, and gives the second one a group with all bidders.
async fn prepare(server: &Server, public: &str, with_group: &str) -> Result<Door, MeasureError> {
    let (address, filled) = (server.target.address, &server.target.filled);
    let mut owner = BenchClient::open(address, &filled.owner).await?;
    owner.send("PATCH", &format!("/api{public}"), r#"{"readableBy":"ANYONE"}"#).await?;
    let group = owner.post("/api/groups", r#"{"name":"Bench","joinable":true}"#).await?;
    let (id, code) = (text(&group, "id")?, text(&group, "code")?);
    let people = format!("/api/groups/{id}/people");
    let added = owner.post_keyed(&people, r#"{"people":[{"pin":"123456"}]}"#).await?;
    let number = added["people"][0]["number"].as_i64().ok_or(MeasureError::NotFilled)?;
    for token in &*filled.tokens {
        let mut bidder = BenchClient::open(address, token).await?;
        bidder.post("/api/groups/join", &format!(r#"{{"code":"{code}"}}"#)).await?;
    }
    owner.send("PATCH", &format!("/api{with_group}"), &format!(r#"{{"groupId":"{id}"}}"#)).await?;
    let account = format!(r#"{{"email":"reader@example.org","password":"{PASSWORD}","name":"Reader"}}"#);
    // Without the session of the owner, which a new one would replace.
    BenchClient::open(address, "").await?.post("/api/auth/register", &account).await?;
    Ok(Door {
        by_password: format!(r#"{{"email":"reader@example.org","password":"{PASSWORD}"}}"#),
        by_number: format!(r#"{{"code":"{code}","number":{number},"pin":"123456"}}"#),
    })
}

/// A GET request without an account.
fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

/// Readers of the items that others bid on, spread over the time between two pages.
async fn open_guests(server: &Server) -> Result<JoinSet<Result<(), MeasureError>>, MeasureError> {
    let (address, items) = (server.target.address, &server.target.filled.items);
    let mut guests = JoinSet::new();
    for n in 0..GUESTS {
        let page = items[n % 50].clone();
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(get(&format!("/api{page}/events")).as_bytes()).await?;
        let mut head = vec![0; 12];
        stream.read_exact(&mut head).await?;
        if !head.ends_with(b"200") {
            return Err(MeasureError::InvalidHttp);
        }
        guests.spawn(async move {
            let mut received = [0; 4096];
            while stream.read(&mut received).await? > 0 {}
            Ok(())
        });
        guests.spawn(async move {
            let (mut stream, mut answer) = (TcpStream::connect(address).await?, Vec::new());
            tokio::time::sleep(PAGE_EVERY * u32::try_from(n).unwrap_or(0) / 200).await;
            loop {
                stream.write_all(get(&page).as_bytes()).await?;
                match load::read(&mut stream, &mut answer).await? {
                    200 => tokio::time::sleep(PAGE_EVERY).await,
                    status => return Err(MeasureError::refused(status, &answer)),
                }
            }
        });
    }
    Ok(guests)
}

/// Sign-ins, one after the other on each connection.
async fn sign_ins(
    server: &Server,
    path: &'static str,
    body: &str,
    length: Duration,
) -> Result<Measured, MeasureError> {
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let length = length.max(Duration::from_secs(2));
    let load = Load::new(server.target.address, server.processes, length, SIGN_INS, move |_, next| {
        next.push_str(&request);
    });
    load.run().await
}
