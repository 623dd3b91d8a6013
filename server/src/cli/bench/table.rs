//! The table of results and limits, and the page with one table per database.

use std::fmt::Write;

/// The unit of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Relative to what was measured just before and just after: requests that do nothing, or bids without an attack.
    Ratio,
    Microseconds,
    Milliseconds,
    /// With two fraction digits.
    PreciseMilliseconds,
    Kilobytes,
    Megabytes,
}

/// One row of the table.
pub struct Row {
    name: &'static str,
    unit: Unit,
    measured: Vec<f64>,
    bound: Option<Bound>,
}

/// The limit and the target of a row.
#[derive(Debug, Clone, Copy)]
struct Bound {
    limit: f64,
    aim: f64,
    /// Smaller values are better.
    is_cost: bool,
}

impl Row {
    /// A row without a limit.
    pub fn plain(name: &'static str, unit: Unit) -> Self {
        Self { name, unit, measured: Vec::new(), bound: None }
    }

    /// A ratio of at least `limit`.
    pub fn speed(name: &'static str, limit: f64, aim: f64) -> Self {
        let bound = Some(Bound { limit, aim, is_cost: false });
        Self { bound, ..Self::plain(name, Unit::Ratio) }
    }

    /// A value of at most `limit`.
    pub fn cost(name: &'static str, unit: Unit, limit: f64, aim: f64) -> Self {
        Self { bound: Some(Bound { limit, aim, is_cost: true }), ..Self::plain(name, unit) }
    }

    pub fn add(&mut self, measured: f64) {
        self.measured.push(measured);
        self.measured.sort_by(f64::total_cmp);
    }

    /// Whether the median is within the limit.
    pub fn holds(&self) -> bool {
        self.bound.is_none_or(|bound| {
            if bound.is_cost { self.median() <= bound.limit } else { self.median() >= bound.limit }
        })
    }

    fn median(&self) -> f64 {
        let middle = self.measured.len() / 2;
        match self.measured.as_slice() {
            [] => f64::NAN,
            measured if measured.len() % 2 == 1 => measured[middle],
            measured => (measured[middle - 1] + measured[middle]) / 2.0,
        }
    }
}

impl Unit {
    fn write(self, number: f64) -> String {
        match self {
            Self::Ratio => format!("{number:.3}"),
            Self::Microseconds => format!("{number:.1} µs"),
            Self::Milliseconds => format!("{number:.0} ms"),
            Self::PreciseMilliseconds => format!("{number:.2} ms"),
            Self::Kilobytes => format!("{number:.1} kB"),
            Self::Megabytes => format!("{number:.1} MB"),
        }
    }
}

impl Bound {
    fn write(self, number: f64, unit: Unit) -> String {
        let sign = if self.is_cost { "≤" } else { "≥" };
        let unit = match unit {
            Unit::Ratio => "",
            Unit::Microseconds => " µs",
            Unit::Milliseconds | Unit::PreciseMilliseconds => " ms",
            Unit::Kilobytes => " kB",
            Unit::Megabytes => " MB",
        };
        format!("{sign} {number}{unit}")
    }
}

/// The rows as a Markdown table.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from("| what | median | range | limit | aim |\n|---|---:|---:|---:|---:|\n");
    for row in rows {
        let at = |number: Option<&f64>| row.unit.write(number.copied().unwrap_or(f64::NAN));
        let bound = |of: fn(Bound) -> f64| {
            row.bound.map(|bound| bound.write(of(bound), row.unit)).unwrap_or_default()
        };
        // Writing to a string can't fail.
        let _ = writeln!(
            text,
            "| {} | {} | {}–{} | {} | {} |",
            row.name,
            row.unit.write(row.median()),
            at(row.measured.first()),
            at(row.measured.last()),
            bound(|bound| bound.limit),
            bound(|bound| bound.aim),
        );
    }
    text
}

/// A page of docs/reference with a table for each database.
pub struct Page {
    pub path: &'static str,
    introduction: &'static str,
}

pub const BIDS: Page = Page { path: "docs/reference/bid-speed.md", introduction: BIDS_INTRODUCTION };
pub const PAGES: Page = Page { path: "docs/reference/page-speed.md", introduction: PAGES_INTRODUCTION };

pub const HOSTILE: Page =
    Page { path: "docs/reference/hostile-clients.md", introduction: HOSTILE_INTRODUCTION };

pub const BOOKS: Page = Page { path: "docs/reference/book-speed.md", introduction: BOOKS_INTRODUCTION };

pub const NOTIFICATIONS: Page =
    Page { path: "docs/reference/notification-speed.md", introduction: NOTIFICATIONS_INTRODUCTION };
pub const PICTURES: Page =
    Page { path: "docs/reference/picture-load.md", introduction: PICTURES_INTRODUCTION };

const BIDS_INTRODUCTION: &str = "\
# Speed of bids

Written by `farthing bench --write`. A limit is a promise: a value that misses it is a bug. A number without a unit is
a ratio to requests that do nothing (÷ nothing), sent to the same server on as many connections, with the same cookies,
just before and just after. They pass none of the server's layers. A bid is on the disk when it is answered. The client
runs on the same machine.
";

const PAGES_INTRODUCTION: &str = "\
# Speed of large pages

Written by `farthing bench --pages --write`. A limit is a promise: a value that misses it is a bug. Times are processor
time of the server for one request, without compression; sizes are those of the HTML, without compression. A page of an
auction has at most 50 rows, so that the ratio compares two pages of 50 rows: it is what the other items cost.
";

const HOSTILE_INTRODUCTION: &str = "\
# Bids under attack

Written by `farthing bench --hostile --write`. A limit is a promise: a value that misses it is a bug. A ratio compares the
95th percentile of the time for a bid, from the request to the answer, while an attack runs with the lower one of just
before and just after it. 32 bidders place 8 bids a second each. Attackers run on the same machine, in a thread of their
own, as fast as the server answers them. Memory is that of the server at the end of an attack.

What bounds an attack:

* Files are compressed when they are built, or at their first request. One address gets 50 MB of them at once, then 64 MB a
  second.
* Reads other than files and live streams run on threads of low priority, a bounded number at the same time, with database
  connections of their own. So do the first items of a stream, two streams at the same time, and the hashing of passwords,
  for strangers on half of the cores.
* A refusal by a rate limit is sent after 50 ms.
* A batch of bids on SQLite waits for at most one other transaction.
* Answers above 64 KiB are compressed outside of the connection threads, on half of the cores; of more than 32 at the same
  time the rest is sent uncompressed.
* A page of a list, the beginning of a stream and a page have at most 256 KiB; rendered Markdown has at most 64 KiB.
* Answers above 16 KiB that are not read yet share 16 MiB; without room such an answer is 503, unless it reports a change.
  The items with which a stream begins are read from the database as fast as the client reads them.
* The kernel buffers 128 KiB of each connection, and a connection whose client reads nothing for 30 seconds is closed.
";

const BOOKS_INTRODUCTION: &str = "\
# Speed of bids with a book

Written by `farthing bench --books --write`. A limit is a promise: a value that misses it is a bug. Each measurement of an
auction with a book is between two of an auction without one, on the same server and with the same bidders. All bids are
affordable: what is measured is the cost of judging and recording them.
";

const NOTIFICATIONS_INTRODUCTION: &str = "\
# Speed of bids that notify

Written by `farthing bench --notifications --write`. A limit is a promise: a value that misses it is a bug. A ratio compares
bids of the same users on the same items, between two measurements of what it is divided by.

* A bid that takes the lead from another user writes a notification for that user and sends an event. A bid of the user who
  leads already writes none.
* The table of bidders is the index of bids by bidder. The first bid of a user on an item writes a row there, and a later one
  only after 2,000 bids of others, so that most bids cost nothing more.
";

const PICTURES_INTRODUCTION: &str = "\
# Bids while pictures are uploaded

Written by `farthing bench --pictures --write`. A limit is a promise: a value that misses it is a bug. 16 pictures of 50
megapixels arrive at once, each for an item of the auction in which 32 bidders place 8 bids a second each. A ratio compares
the 95th percentile of the time for a bid, from the request to the answer, meanwhile with the lower one of just before and
just after. Memory is the most that the server had in use at any moment, until the last picture was added. A JPEG is what a
camera writes; a WebP without loss takes the most memory to read. The clients run on the same machine.

What bounds the load:

* 32 uploads run at the same time; more are 503. Files go to the disk while they arrive.
* One picture is read at a time, on a thread of low priority, in at most 20 seconds and 320 MB.

A WebP without loss is held whole, with four bytes a pixel. A JPEG is decoded at a fraction of its size.
";

impl Page {
    /// The page `old` with a new table for one database. The tables of other databases are kept.
    pub fn with(&self, old: &str, database: &str, table: &str, date: &str, rounds: u32) -> String {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut sections: Vec<(&str, &str)> =
            old.split("\n## ").skip(1).filter_map(|section| section.split_once('\n')).collect();
        let new = format!("\nOn {date}, on a machine with {cores} cores; {rounds} rounds.\n\n{table}");
        sections.retain(|(name, _)| *name != database);
        sections.push((database, &new));
        sections.sort_unstable_by_key(|(name, _)| std::cmp::Reverse(*name));
        let sections = sections.into_iter().map(|(name, body)| format!("\n## {name}\n{}\n", body.trim_end()));
        sections.fold(self.introduction.to_owned(), |page, section| page + &section)
    }
}
