//! Data that others publish and change, of which each edition has a day after which it is to be looked at
//! again: the table of `docs/reference/data.md`.

use anyhow::{Context, Result, ensure};
use jiff::civil::Date;

use crate::path_context::PathContext;
use crate::workspace::Workspace;

const TABLE: &str = "docs/reference/data.md";

struct Program {
    data: String,
    edition: String,
    /// Crates with their versions, or a file.
    carried_by: String,
    look_after: Date,
}

/// The rows of the table, which is the first one of the page.
fn rows(text: &str) -> Result<Vec<Program>> {
    let is_row = |line: &&str| line.starts_with('|');
    let lines = text.lines().skip_while(|line| !is_row(line)).take_while(is_row);
    // Behind the names of the columns and the line below them.
    let rows: Vec<Program> = lines.skip(2).map(row).collect::<Result<_>>()?;
    ensure!(!rows.is_empty(), "{TABLE} has no rows");
    Ok(rows)
}

fn row(line: &str) -> Result<Program> {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [data, edition, _, _, carried_by, look_after] = cells[..] else {
        anyhow::bail!("{TABLE}: a row has {} cells: {line}", cells.len());
    };
    Ok(Program {
        data: data.to_owned(),
        edition: edition.to_owned(),
        carried_by: carried_by.to_owned(),
        look_after: look_after.parse().with_context(|| format!("{TABLE}: {look_after}"))?,
    })
}

/// Warnings about editions that are due for a look on this day.
fn due(rows: &[Program], today: Date) -> Vec<String> {
    let is_due = |row: &&Program| row.look_after < today;
    let warning = |row: &Program| {
        let Program { data, edition, carried_by, look_after } = row;
        format!("warning: {data}: look for a newer edition than {edition} ({carried_by}), since {look_after}")
    };
    rows.iter().filter(is_due).map(warning).collect()
}

/// Prints what is to be looked at. Changes nothing about the outcome of a run: a date breaks no build.
pub fn warn(workspace: &Workspace) -> Result<()> {
    let path = workspace.root.join(TABLE);
    let rows = rows(&std::fs::read_to_string(&path).on_path("read", &path)?)?;
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    for warning in due(&rows, today) {
        println!("{warning}: see {TABLE}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../docs/reference/data.md");
    const LOCK: &str = include_str!("../../Cargo.lock");

    /// The texts between backquotes, each with what follows it.
    fn quoted(text: &str) -> Vec<(&str, &str)> {
        let mut parts = text.split('`').skip(1);
        std::iter::from_fn(|| Some((parts.next()?, parts.next()?))).collect()
    }

    #[test]
    fn each_row_is_about_what_is_carried() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        for Program { data, edition, carried_by, .. } in rows(TEXT).unwrap() {
            for (name, version) in quoted(&carried_by) {
                if name.contains('/') {
                    let file = std::fs::read_to_string(format!("{root}/{name}")).unwrap();
                    let head: String = file.lines().take_while(|line| line.starts_with('#')).collect();
                    let of = TEXT.lines().find(|line| line.contains(name)).unwrap();
                    let day = of.split('|').nth(3).unwrap().trim();
                    assert!(
                        head.contains(&edition) && head.contains(day),
                        "{name}: {edition}, {day}: {head}"
                    );
                } else {
                    let version = version.trim_matches([',', ' ']);
                    let locked = format!("name = \"{name}\"\nversion = \"{version}\"\n");
                    assert!(LOCK.contains(&locked), "{data}: {name} is not {version} in Cargo.lock");
                }
            }
        }
    }

    #[test]
    fn each_crate_that_may_carry_data_is_named() {
        let marks = ["unicode-", "tzdb", "time-zone", "psl-", "publicsuffix", "root-certs", "iso_", "cldr"];
        let names = LOCK.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        let carries = |name: &&str| {
            name.starts_with("icu_") && name.ends_with("_data")
                || marks.iter().any(|mark| name.contains(mark))
        };
        for name in names.filter(carries) {
            assert!(TEXT.contains(&format!("`{name}`")), "{TABLE} does not name {name}");
        }
    }

    #[test]
    fn a_row_is_due_on_the_day_after_its_last() {
        let rows = rows(TEXT).unwrap();
        let last = rows.iter().map(|row| row.look_after).min().unwrap();
        assert_eq!(due(&rows, last), Vec::<String>::new());
        let warnings = due(&rows, last.tomorrow().unwrap());
        let all = rows.iter().filter(|row| row.look_after == last).count();
        assert_eq!(warnings.len(), all);
        assert!(warnings[0].starts_with("warning: time zones: look for a newer edition than tzdb 2026f ("));
    }

    #[test]
    fn a_table_that_cannot_be_read_is_an_error() {
        for text in ["", "| a | b |\n|---|---|\n| c | d |", &TEXT.replace("2027-05-31", "next May")] {
            assert!(rows(text).is_err());
        }
    }
}
