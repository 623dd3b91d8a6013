//! The table: measurements beside the limits of the project. The page has one for each database.

use std::fmt::Write;

/// The unit of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Relative to requests that do nothing, measured just before and after.
    Ratio,
    Microseconds,
    Milliseconds,
    Megabytes,
}

/// A row of the table.
pub struct Row {
    what: &'static str,
    unit: Unit,
    measured: Vec<f64>,
    bound: Option<Bound>,
}

/// The limit and the aim of a row.
#[derive(Debug, Clone, Copy)]
struct Bound {
    limit: f64,
    aim: f64,
    /// Whether less is better.
    is_cost: bool,
}

impl Row {
    /// A row without a limit.
    pub fn plain(what: &'static str, unit: Unit) -> Self {
        Self { what, unit, measured: Vec::new(), bound: None }
    }

    /// A row that has to be at least `limit`.
    pub fn speed(what: &'static str, limit: f64, aim: f64) -> Self {
        let bound = Some(Bound { limit, aim, is_cost: false });
        Self { bound, ..Self::plain(what, Unit::Ratio) }
    }

    /// A row that has to be at most `limit`.
    pub fn cost(what: &'static str, unit: Unit, limit: f64, aim: f64) -> Self {
        Self { bound: Some(Bound { limit, aim, is_cost: true }), ..Self::plain(what, unit) }
    }

    pub fn add(&mut self, measured: f64) {
        self.measured.push(measured);
        self.measured.sort_by(f64::total_cmp);
    }

    /// Whether the limit is kept.
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
            Unit::Milliseconds => " ms",
            Unit::Megabytes => " MB",
        };
        format!("{sign} {number}{unit}")
    }
}

/// The table as Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from("| what | median | range | limit | aim |\n|---|---:|---:|---:|---:|\n");
    for row in rows {
        let at = |number: Option<&f64>| row.unit.write(number.copied().unwrap_or(f64::NAN));
        let bound = |of: fn(Bound) -> f64| {
            row.bound.map(|bound| bound.write(of(bound), row.unit)).unwrap_or_default()
        };
        // Writing to a string never fails.
        let _ = writeln!(
            text,
            "| {} | {} | {}–{} | {} | {} |",
            row.what,
            row.unit.write(row.median()),
            at(row.measured.first()),
            at(row.measured.last()),
            bound(|bound| bound.limit),
            bound(|bound| bound.aim),
        );
    }
    text
}

const INTRODUCTION: &str = "\
# Speed of bids

Written by `farthing bench --write`. A limit is a promise: what misses it is a bug. A number without a unit is a
ratio to requests that do nothing (÷ nothing), sent to the same server on as many connections, with the same
cookies, just before and just after. These pass none of the server's layers. A bid is on the disk when it is
answered. The client runs on the same machine.
";

/// The page with the table of one database replaced. Tables of other databases stay.
pub fn page(old: &str, database: &str, table: &str, date: &str, rounds: u32) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut sections: Vec<(&str, &str)> =
        old.split("\n## ").skip(1).filter_map(|section| section.split_once('\n')).collect();
    let new = format!("\nOn {date}, on a machine with {cores} cores; {rounds} rounds.\n\n{table}");
    sections.retain(|(name, _)| *name != database);
    sections.push((database, &new));
    sections.sort_unstable_by_key(|(name, _)| std::cmp::Reverse(*name));
    let sections = sections.into_iter().map(|(name, body)| format!("\n## {name}\n{}\n", body.trim_end()));
    sections.fold(INTRODUCTION.to_owned(), |page, section| page + &section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_kept_by_the_median() {
        let mut speed = Row::speed("bids", 0.45, 0.6);
        let mut cost = Row::cost("a bid", Unit::Milliseconds, 2.0, 1.5);
        for ratio in [0.9, 0.1, 0.45] {
            speed.add(ratio);
            cost.add(4.0 * ratio);
        }
        assert!(speed.holds() && cost.holds());
        speed.add(0.2);
        cost.add(3.0);
        assert!(!speed.holds() && !cost.holds());
        assert!(Row::plain("nothing", Unit::Ratio).holds());
        assert!(table(&[speed]).contains("| 0.325 | 0.100–0.900 | ≥ 0.45 | ≥ 0.6 |"));
        assert!(table(&[cost]).contains("| 2 ms | 0 ms–4 ms | ≤ 2 ms | ≤ 1.5 ms |"));
    }

    #[test]
    fn each_database_keeps_its_table() {
        let one = page("", "SQLite", "| a |\n", "2026-01-01", 5);
        let both = page(&one, "PostgreSQL", "| b |\n", "2026-01-02", 5);
        let again = page(&both, "SQLite", "| c |\n", "2026-01-03", 5);
        assert!(both.contains("| a |\n\n## PostgreSQL\n") && both.ends_with("| b |\n"));
        assert!(!again.contains("| a |") && again.contains("| b |") && again.contains("| c |"));
        assert_eq!(page(&again, "SQLite", "| c |\n", "2026-01-03", 5), again);
    }
}
