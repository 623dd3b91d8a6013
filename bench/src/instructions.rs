//! The processor's instructions of requests, which valgrind counts in the server. They depend on the binary,
//! hardly on the load of the machine, and include those of SQLite's own code.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::load::{self, MeasureError};
use crate::progress;
use crate::serve::NOTHING;
use crate::table::{Figure, Unit};
use crate::target::Server;

/// Each bids on an item of its own, so that their bids can be one batch.
const BIDDERS: usize = 50;
/// Batches, and requests that do nothing, of one count.
const BATCHES: usize = 20;
/// Batches of one count, each after a rest: in a hall a bidder waits for the next lot.
const RESTED_BATCHES: usize = 2;
const REST: Duration = Duration::from_secs(10);
/// Time until bidders have been told that they were outbid.
const TOLD_AFTER: Duration = Duration::from_millis(1_500);
const PAGES: usize = 5;
const REDIRECTS: usize = 20;
const ROWS: usize = 11;

/// Runs the server. By default the names of valgrind's pipes contain variables of the environment, which the
/// server does not have; these are in the server's folder.
pub const COUNTER: [&str; 4] =
    ["valgrind", "--tool=callgrind", "--callgrind-out-file=instructions", "--vgdb-prefix=./vgdb"];

/// Measures every row in each round, in a server that was started with its files in `folder`.
pub async fn measure(server: &Server, folder: &Path, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    let mut rows = rows();
    // The first requests fill caches. The server closes connections that rest for half a minute: each round
    // has new ones.
    Clients::connect(server, folder).await?.round().await?;
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        for (row, number) in rows.iter_mut().zip(Clients::connect(server, folder).await?.round().await?) {
            row.add(number);
        }
    }
    Ok(rows.into())
}

/// The limits are 2 % above the ratios in the binary that the tests run when a row was last changed. An
/// improvement lowers them.
fn rows() -> [Figure; ROWS] {
    [
        Figure::plain("a request that does nothing", Unit::Thousands),
        Figure::cost("a bid in a batch of 50 ÷ nothing", Unit::Ratio, 6.64, 3.0),
        Figure::plain("a bid that outbids, with telling those who are outbid ÷ nothing", Unit::Ratio),
        Figure::plain("a bid after a rest of 10 s ÷ nothing", Unit::Ratio),
        Figure::cost("a redirect, with brotli asked for ÷ nothing", Unit::Ratio, 3.5, 2.0),
        // It grows with the bids on the item, and with it their number.
        Figure::plain("an item page after a bid, 25 to 150 bids", Unit::Thousands),
        Figure::plain("an item page after a bid, zstd ÷ plain", Unit::Ratio),
        Figure::plain("an item page after a bid, brotli ÷ plain", Unit::Ratio),
        Figure::plain("an item page that is unchanged", Unit::Thousands),
        Figure::plain("a page of 50 items after a bid on each", Unit::Thousands),
        Figure::plain("a page of 50 items that is unchanged", Unit::Thousands),
    ]
}

/// A connection for each bidder, and as many that pass none of the server's layers.
struct Clients<'a> {
    server: &'a Server,
    folder: &'a Path,
    bidders: Vec<TcpStream>,
    bare: Vec<TcpStream>,
    answer: Vec<u8>,
}

impl<'a> Clients<'a> {
    async fn connect(server: &'a Server, folder: &'a Path) -> Result<Self, MeasureError> {
        let (mut bidders, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..BIDDERS {
            bidders.push(TcpStream::connect(server.target.address).await?);
            bare.push(TcpStream::connect(server.target.bare_address).await?);
        }
        Ok(Self { server, folder, bidders, bare, answer: Vec::new() })
    }

    /// The numbers of all rows, in their order.
    async fn round(&mut self) -> Result<[f64; ROWS], MeasureError> {
        let nothing = Vec::from_iter((0..BIDDERS).map(|n| self.nothing(n)));
        self.start()?;
        for _ in 0..BATCHES {
            exchange(&mut self.bare, &nothing, &mut self.answer).await?;
        }
        let nothing = self.counted()? / (BATCHES * BIDDERS) as f64;
        self.start()?;
        for _ in 0..BATCHES {
            self.bid_on(0).await?;
        }
        let bid = self.counted()? / (BATCHES * BIDDERS) as f64;
        self.start()?;
        for batch in 1..=BATCHES {
            self.bid_on(batch).await?;
        }
        tokio::time::sleep(TOLD_AFTER).await;
        let outbidding = self.counted()? / (BATCHES * BIDDERS) as f64;
        self.bid_on(0).await?;
        let mut rested = 0.0;
        for _ in 0..RESTED_BATCHES {
            tokio::time::sleep(REST).await;
            self.start()?;
            self.bid_on(0).await?;
            rested += self.counted()? / (RESTED_BATCHES * BIDDERS) as f64;
        }
        let catalogue = &self.server.target.filled.auctions[0];
        self.bid_on(0).await?;
        let changed_catalogue = self.requested_page(catalogue, 1).await?;
        let catalogue = self.unchanged_page(catalogue).await?;
        let page = &self.server.target.filled.items[0];
        let plain = self.page(page, "identity").await?;
        let [zstd, brotli] = [self.page(page, "zstd").await? / plain, self.page(page, "br").await? / plain];
        let unchanged = self.unchanged_page(page).await?;
        let redirect = self.get("/sign-in", "br");
        self.start()?;
        for _ in 0..REDIRECTS {
            exchange(&mut self.bidders[..1], std::slice::from_ref(&redirect), &mut self.answer).await?;
        }
        let redirect = self.counted()? / REDIRECTS as f64;
        let [bid, outbidding, rested, redirect] = [bid, outbidding, rested, redirect].map(|it| it / nothing);
        let [plain, unchanged, changed_catalogue, catalogue] =
            [plain, unchanged, changed_catalogue, catalogue].map(|it| it / 1e3);
        Ok([
            nothing / 1e3,
            bid,
            outbidding,
            rested,
            redirect,
            plain,
            zstd,
            brotli,
            unchanged,
            changed_catalogue,
            catalogue,
        ])
    }

    /// A bid of each bidder, on the item that is `shift` after the bidder's own.
    async fn bid_on(&mut self, shift: usize) -> Result<(), MeasureError> {
        let bids = Vec::from_iter((0..BIDDERS).map(|n| self.bid(n, (n + shift) % BIDDERS)));
        exchange(&mut self.bidders, &bids, &mut self.answer).await
    }

    /// The instructions of a page that was rendered before and has not changed.
    async fn unchanged_page(&mut self, path: &str) -> Result<f64, MeasureError> {
        self.requested_page(path, PAGES).await
    }

    /// The instructions of a page, requested several times.
    async fn requested_page(&mut self, path: &str, times: usize) -> Result<f64, MeasureError> {
        let page = self.get(path, "identity");
        self.start()?;
        for _ in 0..times {
            exchange(&mut self.bidders[..1], std::slice::from_ref(&page), &mut self.answer).await?;
        }
        Ok(self.counted()? / times as f64)
    }

    /// The instructions of a page that is requested after each bid on its item.
    async fn page(&mut self, path: &str, encoding: &str) -> Result<f64, MeasureError> {
        let page = self.get(path, encoding);
        let mut instructions = 0.0;
        for _ in 0..PAGES {
            let bid = self.bid(0, 0);
            exchange(&mut self.bidders[..1], &[bid], &mut self.answer).await?;
            self.start()?;
            exchange(&mut self.bidders[..1], std::slice::from_ref(&page), &mut self.answer).await?;
            instructions += self.counted()?;
        }
        Ok(instructions / PAGES as f64)
    }

    fn nothing(&self, bidder: usize) -> String {
        let mut request = String::new();
        load::post(&mut request, NOTHING, &self.server.target.filled.tokens[bidder], r#"{"amount":1}"#);
        request
    }

    /// The bidder's next bid on an item.
    fn bid(&self, bidder: usize, item: usize) -> String {
        let filled = &self.server.target.filled;
        let body = format!(r#"{{"amount":{}}}"#, self.server.amounts.next(item));
        let mut request = String::new();
        load::post(&mut request, &filled.bid_path(item), &filled.tokens[bidder], &body);
        request
    }

    fn get(&self, path: &str, encoding: &str) -> String {
        let token = &self.server.target.filled.tokens[0];
        format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
             accept-encoding: {encoding}\r\n\r\n"
        )
    }

    /// Starts a new count.
    fn start(&self) -> io::Result<()> {
        self.command("zero")
    }

    /// The instructions since [`Self::start`].
    fn counted(&self) -> Result<f64, MeasureError> {
        self.command("dump")?;
        let mut instructions = 0.0;
        for file in fs::read_dir(self.folder)? {
            let file = file?;
            if file.file_name().to_string_lossy().starts_with("instructions.") {
                instructions += totals(&fs::read_to_string(file.path())?).ok_or(MeasureError::NotCounted)?;
                fs::remove_file(file.path())?;
            }
        }
        Ok(instructions)
    }

    fn command(&self, command: &str) -> io::Result<()> {
        let pid = format!("--pid={}", self.server.id());
        let mut vgdb = Command::new("vgdb");
        vgdb.args([&pid, "--vgdb-prefix=./vgdb", command]).current_dir(self.folder);
        let output = vgdb.output()?;
        if output.status.success() {
            return Ok(());
        }
        Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// Sends each request on its connection, then reads all answers.
async fn exchange(
    connections: &mut [TcpStream],
    requests: &[String],
    answer: &mut Vec<u8>,
) -> Result<(), MeasureError> {
    for (connection, request) in connections.iter_mut().zip(requests) {
        connection.write_all(request.as_bytes()).await?;
    }
    for connection in connections {
        let status = load::read(connection, answer).await?;
        if !matches!(status, 200..=399) {
            return Err(MeasureError::refused(status, answer));
        }
    }
    Ok(())
}

/// The instructions in a file that valgrind has written.
fn totals(file: &str) -> Option<f64> {
    file.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_states_its_instructions() {
        assert_eq!(totals("events: Ir\nfn=(1)\n12 34\ntotals: 759972354\n"), Some(759_972_354.0));
        assert_eq!(totals("events: Ir\n"), None);
    }
}
