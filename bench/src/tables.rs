//! Imports of tables: from a workbook against from CSV, bids beside them, and workbooks that are refused.

use std::fmt::Write;
use std::time::{Duration, Instant};

use platform::cell::Cell;
use platform::workbook::Workbook;
use rust_xlsxwriter::{Workbook as Book, XlsxError};

use crate::bidders::{self, Waited};
use crate::client::{BenchClient, text};
use crate::load::MeasureError;
use crate::table::{Figure, Unit};
use crate::target::Server;
use crate::{filling, progress};

/// Rows of an imported table, as many as it may have.
const ROWS: usize = 5_000;
const HEADINGS: [&str; 6] = ["lot", "name", "description", "currency", "minimum", "ends"];
/// The longest rest from a change of many rows before the next one begins.
const REST: Duration = Duration::from_secs(5);
const CSV: &str = "text/csv";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const MEGABYTE: f64 = 1e6;

/// Measures everything in each round, bids beside imports between two measurements without them.
pub async fn measure(server: &Server, rounds: u32) -> Result<Vec<Figure>, MeasureError> {
    let beside =
        |what: &str| format!("time for a bid beside an import of {ROWS} lots, {what} ÷ without, p95");
    let mut rows = [
        Figure::plain(format!("time for an import of {ROWS} new lots from CSV"), Unit::Milliseconds),
        Figure::cost("the same from `.xlsx` ÷ from CSV", Unit::Ratio, 1.5, 1.2),
        Figure::plain("the same from CSV again, which changes nothing", Unit::Milliseconds),
        Figure::cost(beside("all new"), Unit::Ratio, 2.0, 1.5),
        Figure::plain("the longest time for a bid beside it", Unit::Milliseconds),
        Figure::cost(beside("all changed"), Unit::Ratio, 2.0, 1.5),
        Figure::cost(beside("none changed"), Unit::Ratio, 2.0, 1.5),
        Figure::cost(
            format!("time for a bid beside an import of {ROWS} entries into a book ÷ without, p95"),
            Unit::Ratio,
            2.0,
            1.5,
        ),
    ];
    let mut refusals = hostile_files()?;
    let mut owner = Owner::of(server);
    let (csv, xlsx) = (Table::csv("attic")?, Table::xlsx("attic")?);
    let changed = Table::csv("cellar")?;
    let entries = Table::entries(server)?;
    for round in 1..=rounds {
        progress(&format!("round {round} of {rounds}"));
        owner.open_auction().await?;
        let from_csv = owner.import(&csv).await?;
        owner.open_auction().await?;
        let from_xlsx = owner.import(&xlsx).await?;
        let nothing = owner.import(&csv).await?;
        let mut ratios = Vec::new();
        let mut longest = 0.0;
        for (table, is_new) in [(&csv, true), (&changed, false), (&changed, false), (&entries, false)] {
            let before = bidders::measure(server).await?;
            if is_new {
                owner.open_auction().await?;
            }
            tokio::time::sleep(REST).await;
            let (waited, imported) = futures::join!(bidders::wait_on(server, 0, bidders::LENGTH), async {
                tokio::time::sleep(bidders::WARM_UP).await;
                owner.send(table).await
            });
            let Waited { p95, longest: this } = waited?;
            imported?;
            let after = bidders::measure(server).await?;
            ratios.push(2.0 * p95 / (before + after));
            longest = if is_new { this } else { longest };
        }
        let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
        let results = [
            milliseconds(from_csv),
            from_xlsx.as_secs_f64() / from_csv.as_secs_f64(),
            milliseconds(nothing),
            ratios[0],
            1e3 * longest,
            ratios[1],
            ratios[2],
            ratios[3],
        ];
        for (row, number) in rows.iter_mut().zip(results) {
            row.add(number);
        }
        for refusal in &mut refusals {
            refusal.measure(server, &mut owner).await?;
        }
    }
    Ok(rows
        .into_iter()
        .chain(refusals.into_iter().flat_map(|refusal| [refusal.time, refusal.memory]))
        .collect())
}

/// A file of a table.
struct Table {
    /// Path of the book into which it is imported. None for the newest auction.
    book: Option<String>,
    content_type: &'static str,
    bytes: Vec<u8>,
}

impl Table {
    /// The nth row of a table whose lots come from this place.
    fn row(n: usize, place: &str) -> [String; 6] {
        let name = format!("Item {n}");
        let description = format!("From the {place} of the old school");
        [n.to_string(), name, description, "EUR".to_owned(), "2.50".to_owned(), "2098-05-01 18:30".to_owned()]
    }

    fn csv(place: &str) -> Result<Self, MeasureError> {
        let mut table = HEADINGS.join(",") + "\n";
        for n in 1..=ROWS {
            // Writing to a string can't fail.
            let _ = writeln!(table, "{}", Self::row(n, place).join(","));
        }
        Ok(Self { book: None, content_type: CSV, bytes: table.into_bytes() })
    }

    /// An entry for each of so many holders of the large book.
    fn entries(server: &Server) -> Result<Self, MeasureError> {
        let filled = &server.target.filled;
        let book = filled.book.clone().ok_or(MeasureError::NotFilled)?;
        let id = book.rsplit('/').next().unwrap_or_default();
        let mut table = "email,amount,reason\n".to_owned();
        for n in (filled.tokens.len() + 1..).take(ROWS) {
            let _ = writeln!(table, "{},-1,Cakes", filling::email_of_holder(n, id));
        }
        Ok(Self { book: Some(book), content_type: CSV, bytes: table.into_bytes() })
    }

    fn xlsx(place: &str) -> Result<Self, MeasureError> {
        let mut workbook = Workbook::begin(&HEADINGS)?;
        for n in 1..=ROWS {
            let [lot, name, description, currency, minimum, ends] = Self::row(n, place);
            let cells = [
                Cell::Number(lot),
                Cell::Text(name),
                Cell::Text(description),
                Cell::Text(currency),
                Cell::Number(minimum),
                Cell::Text(ends),
            ];
            workbook.write_row(&cells)?;
        }
        let mut bytes = Vec::new();
        workbook.save(&mut bytes)?;
        Ok(Self { book: None, content_type: XLSX, bytes })
    }
}

/// The owner of auctions into which tables are imported. Each import has a connection of its own: the server
/// closes idle ones.
struct Owner<'s> {
    server: &'s Server,
    /// The newest auction.
    auction: String,
    sent: usize,
}

impl<'s> Owner<'s> {
    fn of(server: &'s Server) -> Self {
        Self { server, auction: String::new(), sent: 0 }
    }

    async fn client(&self) -> Result<BenchClient, MeasureError> {
        BenchClient::open(self.server.target.address, &self.server.target.filled.owner).await
    }

    /// Opens an auction for the next tables.
    async fn open_auction(&mut self) -> Result<(), MeasureError> {
        let auction = self.client().await?.post("/api/auctions", r#"{"name":"Table"}"#).await?;
        self.auction = text(&auction, "id")?;
        Ok(())
    }

    /// Imports the table after a rest. Returns how long it has taken.
    async fn import(&mut self, table: &Table) -> Result<Duration, MeasureError> {
        tokio::time::sleep(REST).await;
        self.send(table).await
    }

    async fn send(&mut self, table: &Table) -> Result<Duration, MeasureError> {
        let mut client = self.client().await?;
        let path = match &table.book {
            Some(book) => format!("/api{book}/import?again=true"),
            None => self.path(),
        };
        let sent = Instant::now();
        let imported = client.post_file(&path, table.content_type, &self.key(), &table.bytes).await?;
        let took = sent.elapsed();
        let count = ["created", "changed", "unchanged"].iter().filter_map(|count| imported[count].as_u64());
        let is_whole = table.book.is_some() || count.sum::<u64>() == ROWS as u64;
        if is_whole { Ok(took) } else { Err(MeasureError::NotFilled) }
    }

    fn path(&self) -> String {
        format!("/api/auctions/{}/items/import?again=true", self.auction)
    }

    fn key(&mut self) -> String {
        self.sent += 1;
        self.sent.to_string()
    }
}

/// A workbook that is refused, and what that costs.
struct Refusal {
    bytes: Vec<u8>,
    time: Figure,
    memory: Figure,
}

impl Refusal {
    fn of(what: &str, mut book: Book) -> Result<Self, MeasureError> {
        Ok(Self {
            bytes: book.save_to_buffer().map_err(failed)?,
            time: Figure::cost(format!("time to refuse {what}"), Unit::Milliseconds, 1_000.0, 300.0),
            memory: Figure::cost(format!("memory to refuse {what}"), Unit::Megabytes, 64.0, 32.0),
        })
    }

    async fn measure(&mut self, server: &Server, owner: &mut Owner<'_>) -> Result<(), MeasureError> {
        let (mut client, path, key) = (owner.client().await?, owner.path(), owner.key());
        server.processes.forget_most_memory()?;
        let before = server.processes.most_memory_bytes()?;
        let sent = Instant::now();
        match client.post_file(&path, XLSX, &key, &self.bytes).await {
            Err(MeasureError::Refused { status: 413 | 415 | 422, .. }) => {}
            Err(error) => return Err(error),
            Ok(_) => return Err(MeasureError::Forbidden),
        }
        self.time.add(1e3 * sent.elapsed().as_secs_f64());
        self.memory.add((server.processes.most_memory_bytes()? - before) / MEGABYTE);
        Ok(())
    }
}

/// Workbooks as large as their compression allows: each has less than five megabytes.
fn hostile_files() -> Result<[Refusal; 3], MeasureError> {
    let mut rows = Book::new();
    let sheet = rows.add_worksheet_with_constant_memory().map_err(failed)?;
    sheet.write_string(0, 0, "name").map_err(failed)?;
    for row in 1..=1_000_000 {
        sheet.write_number(row, 0, 1).map_err(failed)?;
    }
    let mut texts = Book::new();
    let sheet = texts.add_worksheet_with_constant_memory().map_err(failed)?;
    let text = "a".repeat(10_000);
    sheet.write_string(0, 0, "name").map_err(failed)?;
    for row in 1..=6_000 {
        sheet.write_string(row, 0, &text).map_err(failed)?;
    }
    let mut sheets = Book::new();
    for _ in 0..1_000 {
        sheets.add_worksheet().write_string(0, 0, "name").map_err(failed)?;
    }
    Ok([
        Refusal::of("a workbook of a million rows", rows)?,
        Refusal::of("one of 60 MB unpacked", texts)?,
        Refusal::of("one of a thousand sheets", sheets)?,
    ])
}

fn failed(error: XlsxError) -> MeasureError {
    MeasureError::Io(std::io::Error::other(error))
}
