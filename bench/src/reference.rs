//! The pages of `docs/reference`, with a table for each database.

use std::fs;

use platform::time::{Clock, SystemClock};

use crate::subject::Subject;

/// A page of docs/reference.
struct Page {
    path: &'static str,
    introduction: &'static str,
}

#[derive(Debug, thiserror::Error)]
#[error("can't write `{path}`: {cause}")]
pub struct WriteError {
    path: &'static str,
    cause: std::io::Error,
}

/// Puts the table in the place of the last one for this kind of database.
pub fn write(subject: Subject, table: &str, database_url: &str, rounds: u32) -> Result<(), WriteError> {
    let page = Page::of(subject);
    let date: String = SystemClock.now().to_string().chars().take(10).collect();
    let database = if database_url.starts_with("sqlite:") { "SQLite" } else { "PostgreSQL" };
    // The first run has no previous page.
    let old = fs::read_to_string(page.path).unwrap_or_default();
    fs::write(page.path, page.with(&old, database, table, &date, rounds))
        .map_err(|cause| WriteError { path: page.path, cause })
}

impl Page {
    fn of(subject: Subject) -> Self {
        let (path, introduction) = match subject {
            Subject::Bids => ("docs/reference/bid-speed.md", BIDS),
            Subject::Pages => ("docs/reference/page-speed.md", PAGES),
            Subject::Hostile => ("docs/reference/hostile-clients.md", HOSTILE),
            Subject::Books => ("docs/reference/book-speed.md", BOOKS),
            Subject::Notifications => ("docs/reference/notification-speed.md", NOTIFICATIONS),
            Subject::Pictures => ("docs/reference/picture-load.md", PICTURES),
        };
        Self { path, introduction }
    }

    /// The page `old` with a new table for one database. The tables of other databases are kept.
    fn with(&self, old: &str, database: &str, table: &str, date: &str, rounds: u32) -> String {
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

const BIDS: &str = "\
# Speed of bids

Written by `cargo xtask bench --write`. A limit is a promise: a value that misses it is a bug. A number without a unit is
a ratio to requests that do nothing (÷ nothing), sent to the same server on as many connections, with the same cookies,
just before and just after. They pass none of the server's layers. A bid is on the disk when it is answered. The client
runs on the same machine.
";

const PAGES: &str = "\
# Speed of large pages

Written by `cargo xtask bench pages --write`. A limit is a promise: a value that misses it is a bug. Times are processor
time of the server for one request, without compression; sizes are those of the HTML, without compression. A page of an
auction has at most 50 rows, so that the ratio compares two pages of 50 rows: it is what the other items cost.
";

const HOSTILE: &str = "\
# Bids under attack

Written by `cargo xtask bench hostile --write`. A limit is a promise: a value that misses it is a bug. A ratio compares the
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

const BOOKS: &str = "\
# Speed of bids with a book

Written by `cargo xtask bench books --write`. A limit is a promise: a value that misses it is a bug. Each measurement of an
auction with a book is between two of an auction without one, on the same server and with the same bidders. All bids are
affordable: what is measured is the cost of judging and recording them.
";

const NOTIFICATIONS: &str = "\
# Speed of bids that notify

Written by `cargo xtask bench notifications --write`. A limit is a promise: a value that misses it is a bug. A ratio compares
bids of the same users on the same items, between two measurements of what it is divided by.

* A bid that takes the lead from another user writes a notification for that user and sends an event. A bid of the user who
  leads already writes none.
* The table of bidders is the index of bids by bidder. The first bid of a user on an item writes a row there, and a later one
  only after 2,000 bids of others, so that most bids cost nothing more.
";

const PICTURES: &str = "\
# Bids while pictures are uploaded

Written by `cargo xtask bench pictures --write`. A limit is a promise: a value that misses it is a bug. 16 pictures of 50
megapixels arrive at once, each for an item of the auction in which 32 bidders place 8 bids a second each. A ratio compares
the 95th percentile of the time for a bid, from the request to the answer, meanwhile with the lower one of just before and
just after. Memory is the most that the server had in use at any moment, until the last picture was added. A JPEG is what a
camera writes; a WebP without loss takes the most memory to read. The clients run on the same machine.

What bounds the load:

* 32 uploads run at the same time; more are 503. Files go to the disk while they arrive.
* One picture is read at a time, on a thread of low priority, in at most 20 seconds and 320 MB.

A WebP without loss is held whole, with four bytes a pixel. A JPEG is decoded at a fraction of its size.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_database_keeps_its_table() {
        let page = Page::of(Subject::Bids);
        let one = page.with("", "SQLite", "| a |\n", "2026-01-01", 5);
        let both = page.with(&one, "PostgreSQL", "| b |\n", "2026-01-02", 5);
        let again = page.with(&both, "SQLite", "| c |\n", "2026-01-03", 5);
        assert!(both.contains("| a |\n\n## PostgreSQL\n") && both.ends_with("| b |\n"));
        assert!(!again.contains("| a |") && again.contains("| b |") && again.contains("| c |"));
        assert_eq!(page.with(&again, "SQLite", "| c |\n", "2026-01-03", 5), again);
    }
}
