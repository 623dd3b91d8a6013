//! The tables of `docs/reference`, each between the lines `<!-- SUBJECT, DATABASE -->` and `<!-- end -->`.

use std::fs;

use clap::ValueEnum;
use platform::time::{Clock, SystemClock};

use crate::subject::BenchSubject;

const END: &str = "<!-- end -->";

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("can't read or write `{path}`: {cause}")]
    File { path: &'static str, cause: std::io::Error },
    #[error("`{path}` has no place for the table: add the lines `{mark}` and `{END}`")]
    NoPlace { path: &'static str, mark: String },
}

/// Puts the table in the place of the last one for this kind of database.
pub fn write(subject: BenchSubject, table: &str, database_url: &str, rounds: u32) -> Result<(), WriteError> {
    let path = page(subject);
    let file_error = |cause| WriteError::File { path, cause };
    let date: String = SystemClock.now().to_string().chars().take(10).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let database = if database_url.starts_with("sqlite:") { "SQLite" } else { "PostgreSQL" };
    let name = subject.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let mark = format!("<!-- {name}, {database} -->");
    let new = format!("On {date}, on a machine with {cores} cores; {rounds} rounds.\n\n{table}");
    let old = fs::read_to_string(path).map_err(file_error)?;
    let page = replaced(&old, &mark, &new).ok_or(WriteError::NoPlace { path, mark })?;
    fs::write(path, page).map_err(file_error)
}

fn page(subject: BenchSubject) -> &'static str {
    match subject {
        BenchSubject::Hostile | BenchSubject::Pictures => "docs/reference/load.md",
        BenchSubject::Bids
        | BenchSubject::Instructions
        | BenchSubject::Pages
        | BenchSubject::Books
        | BenchSubject::Notifications
        | BenchSubject::Servers
        | BenchSubject::Everyone
        | BenchSubject::Hall
        | BenchSubject::Runs
        | BenchSubject::Tables => "docs/reference/measurements.md",
    }
}

/// The page with `new` between the line `mark` and the end; `None` if it does not have these lines.
fn replaced(page: &str, mark: &str, new: &str) -> Option<String> {
    let (before, rest) = page.split_once(mark)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{mark}\n{new}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_is_replaced_in_its_place() {
        let page = "# Speed\n\n<!-- bids, SQLite -->\n| a |\n<!-- end -->\n\n<!-- books, SQLite -->\n| b |\n<!-- end -->\n";
        let new = replaced(page, "<!-- books, SQLite -->", "| c |\n").unwrap();
        assert_eq!(new, page.replace("| b |", "| c |"));
        assert_eq!(replaced(page, "<!-- books, PostgreSQL -->", "| c |\n"), None);
    }

    #[test]
    fn every_subject_has_a_place() {
        for subject in BenchSubject::value_variants() {
            let name = subject.to_possible_value().unwrap();
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page(*subject));
            let page = fs::read_to_string(path).unwrap();
            let database = if *subject == BenchSubject::Servers { "PostgreSQL" } else { "SQLite" };
            assert!(page.contains(&format!("<!-- {}, {database} -->", name.get_name())));
        }
    }
}
