//! The table: what was measured, against the limits that the project keeps.

use std::fmt::Write;

/// One line of it.
pub struct Row {
    what: &'static str,
    ratios: Vec<f64>,
    limit: f64,
    aim: f64,
    /// Less is better.
    is_cost: bool,
}

impl Row {
    /// Every row, in the order of the table.
    pub fn all() -> [Self; 4] {
        let speed = |what, limit, aim| Self { what, ratios: Vec::new(), limit, aim, is_cost: false };
        [
            speed("accepted bids, 256 connections on 50 items", 0.45, 0.60),
            speed("decided bids, 256 connections on one item", 0.50, 0.70),
            Self {
                is_cost: true,
                ..speed("processor time of the server for one bid, on 50 items", 2.0, 1.6)
            },
            speed("item pages, 32 connections", 0.03, 0.10),
        ]
    }

    pub fn add(&mut self, ratio: f64) {
        self.ratios.push(ratio);
        self.ratios.sort_by(f64::total_cmp);
    }

    /// Whether the limit is kept.
    pub fn holds(&self) -> bool {
        if self.is_cost { self.median() <= self.limit } else { self.median() >= self.limit }
    }

    fn median(&self) -> f64 {
        let middle = self.ratios.len() / 2;
        match self.ratios.as_slice() {
            [] => f64::NAN,
            ratios if ratios.len() % 2 == 1 => ratios[middle],
            ratios => (ratios[middle - 1] + ratios[middle]) / 2.0,
        }
    }
}

/// As Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| ÷ requests that do nothing | median | range | limit | aim |\n|---|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let (least, most) = (row.ratios.first().copied(), row.ratios.last().copied());
        let bound = if row.is_cost { "≤" } else { "≥" };
        // Writing to a string can't fail.
        let _ = writeln!(
            text,
            "| {} | {:.3} | {:.3}–{:.3} | {bound} {} | {bound} {} |",
            row.what,
            row.median(),
            least.unwrap_or(f64::NAN),
            most.unwrap_or(f64::NAN),
            row.limit,
            row.aim,
        );
    }
    text
}

/// The table with the words around it, as it is kept.
pub fn page(table: &str, date: &str, rounds: u32) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "# Speed of bids\n\n\
         Written by `farthing bench --write` on {date}, on a machine with {cores} cores. A limit is a promise: what\n\
         misses it is a bug. Every number is a ratio to requests that do nothing, sent to the same server on as many\n\
         connections, with the same cookies, just before and just after; the median of {rounds} rounds. Bids are on\n\
         the disk when they are answered (SQLite, WAL, `synchronous=FULL`). The client runs on the same machine.\n\n\
         {table}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_kept_by_the_median() {
        let [mut speed, _, mut cost, _] = Row::all();
        for ratio in [0.9, 0.1, 0.45] {
            speed.add(ratio);
            cost.add(4.0 * ratio);
        }
        assert!(speed.holds() && cost.holds());
        speed.add(0.2);
        cost.add(3.0);
        assert!(!speed.holds() && !cost.holds());
        assert!(table(&[speed]).contains("| 0.325 | 0.100–0.900 | ≥ 0.45 | ≥ 0.6 |"));
    }
}
