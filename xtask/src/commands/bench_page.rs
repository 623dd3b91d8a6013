//! `cargo xtask bench item-page`: size and speed of the item page, and the size of a list and of a clerk's
//! page.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::browser::Browser;
use crate::commands::bench::{self, Report, kilobytes};
use crate::measure::{DemoServer, HttpClient, find_item_page, median};
use crate::node::Node;
use crate::path_context::PathContext;
use crate::process;
use crate::site::{self, BUNDLES, Islands};
use crate::workspace::Workspace;

const REQUESTS: usize = 2000;
const STARTS: usize = 5;

struct Program {
    what: &'static str,
    measured: f64,
    limit: f64,
    unit: &'static str,
}

pub fn measure(workspace: &Workspace) -> Result<Report> {
    if !cfg!(target_os = "linux") {
        bail!("this bench reads /proc and runs on Linux only");
    }
    let binary = bench::build_dist(workspace, "server", "farthing")?;
    let folder = workspace.scratch()?.join("bench");
    // Left by an interrupted run.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).on_path("create", &folder)?;
    let rows = rows(workspace, &binary, &folder)?;
    let _ = fs::remove_dir_all(&folder);
    Ok(Report {
        name: "item-page",
        table: table(&rows),
        is_over_limit: rows.iter().any(|row| row.measured > row.limit),
    })
}

fn rows(workspace: &Workspace, binary: &Path, folder: &Path) -> Result<Vec<Program>> {
    let bundles = BUNDLES.iter().map(|bundle| bundle_row(workspace, bundle));
    let mut rows = bundles.collect::<Result<Vec<_>>>()?;
    // The first start creates the demo data and is not measured.
    drop(DemoServer::start(binary, folder)?);
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let server = DemoServer::start(binary, folder)?;
        starts.push(server.start_time.as_secs_f64() * 1000.0);
    }

    let server = DemoServer::start(binary, folder)?;
    let mut client = HttpClient::connect(&server.address)?;
    let page = find_item_page(&mut client)?;
    let resident = server.resident_mb()?;
    page.request(&mut client, REQUESTS / 10)?;
    let before = server.cpu_ms()?;
    page.request(&mut client, REQUESTS)?;
    let cpu = (server.cpu_ms()? - before) / REQUESTS as f64;
    drop(server);
    let chromium = in_chromium(workspace, binary, folder)?;

    rows.extend([
        Program {
            what: "item page with five pictures and all that Chromium loads besides them, brotli",
            measured: chromium.weight / 1000.0,
            limit: 235.0,
            unit: "kB",
        },
        Program {
            what: "list of 30 lots and all that Chromium loads besides their pictures, brotli",
            measured: chromium.list / 1000.0,
            limit: 190.0,
            unit: "kB",
        },
        Program {
            what: "page of a clerk with 120 lots and 40 people, and all that Chromium loads, brotli",
            measured: chromium.clerk / 1000.0,
            limit: 190.0,
            unit: "kB",
        },
        Program { what: "item page, processor time per request", measured: cpu, limit: 2.0, unit: "ms" },
        Program {
            what: "start to listening, median of 5",
            measured: median(starts),
            limit: 300.0,
            unit: "ms",
        },
        Program { what: "memory of an idle server", measured: resident, limit: 40.0, unit: "MB" },
        Program {
            what: "keystroke to violations in Chromium, median of 50",
            measured: chromium.keystroke,
            limit: 16.0,
            unit: "ms",
        },
    ]);
    Ok(rows)
}

fn bundle_row(workspace: &Workspace, bundle: &Islands) -> Result<Program> {
    Ok(Program {
        what: bundle.contents,
        measured: kilobytes(site::bundle_size(workspace, bundle)?),
        limit: kilobytes(bundle.limit),
        unit: "kB",
    })
}

/// What pages cost a browser.
struct InChromium {
    /// Milliseconds of the item page, the median.
    keystroke: f64,
    /// Bytes on the network of the item page, without headers and pictures, of a list and of a clerk's page.
    weight: f64,
    list: f64,
    clerk: f64,
}

/// The page measures itself; the specs write their numbers to files.
fn in_chromium(workspace: &Workspace, binary: &Path, folder: &Path) -> Result<InChromium> {
    let node = Node::ensure(workspace)?;
    node.ensure_packages(workspace)?;
    let browser = Browser::ensure(workspace, &node)?;
    let file = |name: &str| folder.join(name);
    let (keystrokes, weight) = (file("keystrokes.json"), file("weight.json"));
    let (list, clerk) = (file("list.json"), file("clerk.json"));
    process::run(
        browser
            .playwright_test(workspace, &node)
            .arg("--config=bench/playwright.config.ts")
            .env("FARTHING_BIN", binary)
            .env("KEYSTROKES", &keystrokes)
            .env("PAGE_WEIGHT", &weight)
            .env("LIST_WEIGHT", &list)
            .env("CLERK_WEIGHT", &clerk),
    )?;
    Ok(InChromium {
        keystroke: median_in(&keystrokes)?,
        weight: median_in(&weight)?,
        list: median_in(&list)?,
        clerk: median_in(&clerk)?,
    })
}

fn median_in(file: &Path) -> Result<f64> {
    let text = fs::read_to_string(file).on_path("read", file)?;
    let numbers: Vec<f64> = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a list of numbers", file.display()))?;
    Ok(median(numbers))
}

fn table(rows: &[Program]) -> String {
    let mut table = String::from("| what | measured | limit |\n|---|---:|---:|\n");
    for Program { what, measured, limit, unit } in rows {
        let over = if measured > limit { " **over**" } else { "" };
        table.push_str(&format!("| {what} | {measured:.1} {unit}{over} | {limit:.0} {unit} |\n"));
    }
    table
}
