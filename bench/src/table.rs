//! The table of results and limits.

use std::fmt::Write;

/// The unit of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Count,
    /// Relative to what was measured just before and just after: requests that do nothing, or bids without an
    /// attack.
    Ratio,
    Microseconds,
    Milliseconds,
    /// With two fraction digits.
    PreciseMilliseconds,
    Kilobytes,
    Megabytes,
    /// Thousands of instructions.
    Thousands,
}

/// One row of the table.
pub struct Figure {
    name: String,
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

impl Figure {
    /// A row without a limit.
    pub fn plain(name: impl Into<String>, unit: Unit) -> Self {
        Self { name: name.into(), unit, measured: Vec::new(), bound: None }
    }

    /// A ratio of at least `limit`.
    pub fn speed(name: impl Into<String>, limit: f64, aim: f64) -> Self {
        let bound = Some(Bound { limit, aim, is_cost: false });
        Self { bound, ..Self::plain(name, Unit::Ratio) }
    }

    /// A value of at most `limit`.
    pub fn cost(name: impl Into<String>, unit: Unit, limit: f64, aim: f64) -> Self {
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
            Self::Count => format!("{number:.0}"),
            Self::Ratio => format!("{number:.3}"),
            Self::Microseconds => format!("{number:.1} µs"),
            Self::Milliseconds => format!("{number:.0} ms"),
            Self::PreciseMilliseconds => format!("{number:.2} ms"),
            Self::Kilobytes => format!("{number:.1} kB"),
            Self::Megabytes => format!("{number:.1} MB"),
            Self::Thousands => format!("{number:.1} k"),
        }
    }
}

impl Bound {
    fn write(self, number: f64, unit: Unit) -> String {
        let sign = if self.is_cost { "≤" } else { "≥" };
        let unit = match unit {
            Unit::Count | Unit::Ratio => "",
            Unit::Microseconds => " µs",
            Unit::Milliseconds | Unit::PreciseMilliseconds => " ms",
            Unit::Kilobytes => " kB",
            Unit::Megabytes => " MB",
            Unit::Thousands => " k",
        };
        format!("{sign} {number}{unit}")
    }
}

/// The rows as a Markdown table.
pub fn table(rows: &[Figure]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_applies_to_the_median() {
        let mut speed = Figure::speed("bids", 0.45, 0.6);
        let mut cost = Figure::cost("a bid", Unit::Milliseconds, 2.0, 1.5);
        for ratio in [0.9, 0.1, 0.45] {
            speed.add(ratio);
            cost.add(4.0 * ratio);
        }
        assert!(speed.holds() && cost.holds());
        speed.add(0.2);
        cost.add(3.0);
        assert!(!speed.holds() && !cost.holds());
        assert!(Figure::plain("nothing", Unit::Ratio).holds());
        assert!(table(&[speed]).contains("| 0.325 | 0.100–0.900 | ≥ 0.45 | ≥ 0.6 |"));
        assert!(table(&[cost]).contains("| 2 ms | 0 ms–4 ms | ≤ 2 ms | ≤ 1.5 ms |"));
    }
}
