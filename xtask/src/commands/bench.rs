//! `cargo xtask bench`: how heavy and how quick the item page is, against the limits that the project keeps.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use crate::commands::build;
use crate::failure::{Failure, OnPath, Outcome};
use crate::measure::{Client, DemoServer, find_item_page, median};
use crate::process;
use crate::site;
use crate::tools;
use crate::workspace::Workspace;

const REQUESTS: usize = 2000;
const STARTS: usize = 5;

#[derive(Args)]
pub struct Options {
    /// Writes the table into docs/reference, as speed.md or engine-speed.md
    #[arg(long)]
    pub write: bool,
    /// Measures the rules engine instead, which needs no server
    #[arg(long)]
    pub engine: bool,
}

struct Row {
    what: &'static str,
    measured: f64,
    limit: f64,
    unit: &'static str,
}

pub fn run(workspace: &Workspace, options: &Options) -> Outcome<ExitCode> {
    if !cfg!(target_os = "linux") {
        return Err(Failure::new("bench reads what Linux says of a process, and runs there only"));
    }
    build::run(workspace)?;
    let folder = workspace.target.join("xtask/bench");
    // What an interrupted run has left.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).on("create", &folder)?;
    let rows = measure(workspace, &folder)?;
    let _ = fs::remove_dir_all(&folder);

    let table = table(&rows);
    println!("\n{table}");
    if options.write {
        let path = workspace.root.join("docs/reference/speed.md");
        site::write_if_changed(&path, page(&table).as_bytes())?;
        println!("written to {}", path.display());
    }
    let over = rows.iter().any(|row| row.measured > row.limit);
    Ok(if over { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn measure(workspace: &Workspace, folder: &Path) -> Outcome<Vec<Row>> {
    let kilobytes = |bytes: u64| bytes as f64 / 1000.0;
    let bundle = site::bundle_weight(workspace)?;
    // The first start makes the demo; those that are timed find it, as every later start of a site does.
    drop(DemoServer::start(&workspace.binary(), folder)?);
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let server = DemoServer::start(&workspace.binary(), folder)?;
        starts.push(server.started_in.as_secs_f64() * 1000.0);
    }

    let server = DemoServer::start(&workspace.binary(), folder)?;
    let mut client = Client::connect(&server.address)?;
    let page = find_item_page(&mut client)?;
    let weight = page.weight(&mut client)?;
    let resident = server.resident_mb()?;
    page.ask(&mut client, REQUESTS / 10)?;
    let before = server.cpu_ms()?;
    page.ask(&mut client, REQUESTS)?;
    let cpu = (server.cpu_ms()? - before) / REQUESTS as f64;
    drop(server);

    Ok(vec![
        Row {
            what: "WebAssembly and its glue, brotli",
            measured: kilobytes(bundle),
            limit: kilobytes(site::BUNDLE_LIMIT),
            unit: "kB",
        },
        Row {
            what: "item page with all it loads, brotli",
            measured: weight as f64 / 1000.0,
            limit: 260.0,
            unit: "kB",
        },
        Row { what: "item page, processor time per request", measured: cpu, limit: 2.0, unit: "ms" },
        Row { what: "start to listening, median of 5", measured: median(starts), limit: 300.0, unit: "ms" },
        Row { what: "memory of an idle server", measured: resident, limit: 40.0, unit: "MB" },
        Row {
            what: "keystroke to violations in Chromium, median of 50",
            measured: keystroke(workspace, folder)?,
            limit: 16.0,
            unit: "ms",
        },
    ])
}

/// Measured in the page itself, by a spec that writes what it found into a file.
fn keystroke(workspace: &Workspace, folder: &Path) -> Outcome<f64> {
    tools::ensure_node()?;
    tools::ensure_packages(workspace)?;
    let browser = tools::ensure_browser(workspace)?;
    let result: PathBuf = folder.join("keystrokes.json");
    process::run(
        tools::npx(workspace)
            .args(["playwright", "test", "--config=bench/playwright.config.ts"])
            .env("FARTHING_BIN", workspace.binary())
            .env("CHROMIUM", browser.chromium)
            .env("KEYSTROKES", &result),
    )?;
    let text = fs::read_to_string(&result).on("read", &result)?;
    let times: Vec<f64> = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("{} is no list of times: {error}", result.display())))?;
    Ok(median(times))
}

fn table(rows: &[Row]) -> String {
    let mut table = String::from("| what | measured | limit |\n|---|---:|---:|\n");
    for Row { what, measured, limit, unit } in rows {
        let over = if measured > limit { " **over**" } else { "" };
        table.push_str(&format!("| {what} | {measured:.1} {unit}{over} | {limit:.0} {unit} |\n"));
    }
    table
}

fn page(table: &str) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "# Speed\n\nWritten by `cargo xtask bench --write` on {}, on a machine with {cores} cores. A limit is a \
         promise: what\nexceeds it is a bug.\n\n{table}",
        today()
    )
}

/// The date in UTC.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date that many days after 1970 began, by the rule that a year begins in March and so ends with its
/// leap day.
fn date(days_since_1970: u64) -> String {
    let days = days_since_1970 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn a_day_has_its_date() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_778), "2026-11-21");
    }
}
