//! Runs of a book with as many holders as it may have, bids beside them, and bids in a book with caps.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bidders::{self, Waited};
use crate::books::bids;
use crate::client::BenchClient;
use crate::filling::HOLDERS;
use crate::load::MeasureError;
use crate::progress;
use crate::serve::READ_ALL;
use crate::table::{Figure, Unit};
use crate::target::Server;

/// So long that a run and its reversal, one right after the other, are part of it with the rest between them.
const LENGTH: Duration = Duration::from_secs(8);
/// The longest rest from a change of many rows before the next one begins.
const REST: Duration = Duration::from_secs(5);
const DECAY: &str = r#"{"kind":"DECAY","params":{"percent":"0.001","to":"ALL"},"reason":"Sunday"}"#;
const REVERSE: &str = r#"{"reason":"Undone"}"#;

/// Measures everything in each round, bids beside runs between two measurements without them.
pub async fn measure(server: &Server, length: Duration, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    let of = |what: &str| format!("time for {what} over {HOLDERS} holders");
    let beside = |auction: &str| format!("time for a bid in {auction} beside runs ÷ without, p95");
    let mut rows = [
        Figure::cost(of("the preview of a run"), Unit::Milliseconds, 1_000.0, 300.0),
        Figure::cost(of("a run"), Unit::Milliseconds, 1_000.0, 500.0),
        Figure::cost(of("its reversal"), Unit::Milliseconds, 1_000.0, 500.0),
        Figure::plain(of("a run") + " ÷ for as many bids", Unit::Ratio),
        Figure::cost(beside("another auction"), Unit::Ratio, 2.0, 1.5),
        Figure::cost(beside("an auction of the book"), Unit::Ratio, 2.0, 1.5),
        Figure::plain("the longest time for a bid beside runs", Unit::Milliseconds),
        Figure::speed(
            "accepted bids in a book with caps ÷ without caps, 256 connections on 50 items",
            0.95,
            1.0,
        ),
    ];
    let [_, in_book, with_caps] = &*server.target.filled.auctions else {
        return Err(MeasureError::NotFilled);
    };
    let mut runs = Runs::of(server)?;
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        let before = bids(server, in_book, length).await?.accepted();
        let capped = bids(server, with_caps, length).await?.accepted();
        let after = bids(server, in_book, length).await?.accepted();

        tokio::time::sleep(REST).await;
        let preview = runs.preview().await?;
        runs.have_all_read().await?;
        let (number, run) = runs.run().await?;
        runs.have_all_read().await?;
        tokio::time::sleep(REST).await;
        let reversal = runs.reverse(number).await?;

        let (other, longest) = wait_beside(server, &mut runs, 0).await?;
        let (of_book, longest_of_book) = wait_beside(server, &mut runs, 50).await?;
        let results = [
            1e3 * preview.as_secs_f64(),
            1e3 * run.as_secs_f64(),
            1e3 * reversal.as_secs_f64(),
            run.as_secs_f64() * (before + after) / 2.0 / HOLDERS as f64,
            other,
            of_book,
            1e3 * longest.max(longest_of_book),
            2.0 * capped / (before + after),
        ];
        for (row, number) in rows.iter_mut().zip(results) {
            row.add(number);
        }
    }
    Ok(rows.into())
}

/// The time for a bid beside a run and its reversal ÷ without, and the longest time.
async fn wait_beside(server: &Server, runs: &mut Runs<'_>, first: usize) -> Result<(f64, f64), MeasureError> {
    runs.have_all_read().await?;
    let before = bidders::wait_on(server, first, LENGTH).await?;
    let (beside, written) = futures::join!(bidders::wait_on(server, first, LENGTH), async {
        tokio::time::sleep(bidders::WARM_UP).await;
        let (number, _) = runs.run().await?;
        runs.reverse(number).await
    });
    let Waited { p95, longest } = beside?;
    written?;
    let after = bidders::wait_on(server, first, LENGTH).await?;
    Ok((2.0 * p95 / (before.p95 + after.p95), longest))
}

/// The runs of the book. Each has a connection of its own: the server closes idle ones.
struct Runs<'s> {
    server: &'s Server,
    path: String,
    made: usize,
}

impl<'s> Runs<'s> {
    fn of(server: &'s Server) -> Result<Self, MeasureError> {
        let book = server.target.filled.book.as_ref().ok_or(MeasureError::NotFilled)?;
        Ok(Self { server, path: format!("/api{book}/runs"), made: 0 })
    }

    async fn owner(&self) -> Result<BenchClient, MeasureError> {
        BenchClient::open(self.server.target.address, &self.server.target.filled.owner).await
    }

    /// Everyone has read of earlier runs: the next one notifies all of them.
    async fn have_all_read(&self) -> Result<(), MeasureError> {
        let mut reader =
            BenchClient::open(self.server.target.bare_address, &self.server.target.filled.owner).await?;
        reader.post(READ_ALL, "{}").await.map(drop)
    }

    async fn preview(&self) -> Result<Duration, MeasureError> {
        let mut owner = self.owner().await?;
        let sent = Instant::now();
        check(&owner.post(&format!("{}?dryRun=true", self.path), DECAY).await?)?;
        Ok(sent.elapsed())
    }

    /// Makes a run. Returns its number, and how long it has taken.
    async fn run(&mut self) -> Result<(i64, Duration), MeasureError> {
        self.made += 1;
        let mut owner = self.owner().await?;
        let sent = Instant::now();
        let run = owner.post_with_key(&self.path, &self.made.to_string(), DECAY).await?;
        let took = sent.elapsed();
        check(&run)?;
        Ok((run["number"].as_i64().ok_or(MeasureError::NotFilled)?, took))
    }

    async fn reverse(&self, number: i64) -> Result<Duration, MeasureError> {
        let mut owner = self.owner().await?;
        let sent = Instant::now();
        check(&owner.post(&format!("{}/{number}/reverse", self.path), REVERSE).await?)?;
        Ok(sent.elapsed())
    }
}

/// The run has a row for each holder.
fn check(run: &Value) -> Result<(), MeasureError> {
    let rows = run["rows"].as_array().map_or(0, Vec::len);
    if rows + 1 >= HOLDERS { Ok(()) } else { Err(MeasureError::NotFilled) }
}
