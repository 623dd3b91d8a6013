//! `cargo xtask bench SUBJECT --against COMMIT`: measures this checkout and a commit in turns on one machine,
//! each with the bench of its own, and compares the rows of equal names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::path_context::PathContext;
use crate::process;
use crate::workspace::{Workspace, remove_package_variables};

/// A row of a table of `bench`.
#[derive(Debug, Clone, PartialEq)]
struct Measured {
    what: String,
    median: f64,
    /// Such as `µs`. Empty for a ratio.
    unit: String,
}

/// Measures both in turns, this checkout first, and prints the comparison. `arguments` are those of `cargo
/// xtask bench`.
pub fn run(workspace: &Workspace, commit: &str, turns: u32, arguments: &[String]) -> Result<ExitCode> {
    let other = checkout(workspace, commit)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for turn in 1..=turns {
        eprintln!("turn {turn} of {turns}: this checkout");
        ours.push(measure(&workspace.root, arguments)?);
        eprintln!("turn {turn} of {turns}: {commit}");
        theirs.push(measure(&other, arguments)?);
    }
    println!("\n{}", table(commit, &ours, &theirs));
    Ok(ExitCode::SUCCESS)
}

/// The commit in a folder of its own below `target`, which keeps its build.
fn checkout(workspace: &Workspace, commit: &str) -> Result<PathBuf> {
    let git = || {
        let mut git = Command::new("git");
        git.current_dir(&workspace.root);
        git
    };
    let hash = process::output(git().args(["rev-parse", "--verify", &format!("{commit}^{{commit}}")]))?;
    let folder = workspace.target.join("against").join(hash.trim());
    if !folder.join(".git").exists() {
        fs::create_dir_all(&folder).on_path("create", &folder)?;
        // A checkout of a folder that was deleted is forgotten.
        process::run(git().args(["worktree", "prune"]))?;
        process::run(git().args(["worktree", "add", "--quiet", "--detach"]).arg(&folder).arg(hash.trim()))?;
    }
    Ok(folder)
}

/// Runs the checkout's own bench. It may miss its limits.
fn measure(root: &Path, arguments: &[String]) -> Result<Vec<Measured>> {
    // The variables of the cargo that runs this tool are about this checkout; the toolchain may be another.
    let mut bench = Command::new("cargo");
    remove_package_variables(&mut bench).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO_TARGET_DIR");
    bench.args(["xtask", "bench"]).args(arguments).current_dir(root);
    let output = bench.stderr(Stdio::inherit()).output().with_context(|| process::not_started(&bench))?;
    let rows = rows(&String::from_utf8_lossy(&output.stdout));
    if rows.is_empty() {
        bail!("the bench in {} printed no table ({})", root.display(), output.status);
    }
    Ok(rows)
}

/// The rows of the tables in what a bench has printed.
fn rows(printed: &str) -> Vec<Measured> {
    let row = |line: &str| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        let (what, median) = (cells.next()?, cells.next()?);
        let (number, unit) = median.split_once(' ').unwrap_or((median, ""));
        Some(Measured { what: what.to_owned(), median: number.parse().ok()?, unit: unit.to_owned() })
    };
    printed.lines().filter_map(row).collect()
}

/// The medians of all turns, and their ratios turn by turn.
fn table(commit: &str, ours: &[Vec<Measured>], theirs: &[Vec<Measured>]) -> String {
    let mut text = format!("| what | {commit} | now | now ÷ {commit} | range |\n|---|---:|---:|---:|---:|\n");
    for row in ours.first().into_iter().flatten() {
        let of = |turn: &Vec<Measured>| {
            turn.iter().find(|it| it.what == row.what && it.unit == row.unit).map(|it| it.median)
        };
        let pairs: Option<Vec<_>> =
            ours.iter().zip(theirs).map(|(ours, theirs)| of(ours).zip(of(theirs))).collect();
        // The other bench may not measure it.
        let Some(pairs) = pairs else { continue };
        let written = |number: f64| format!("{number} {}", row.unit).trim_end().to_owned();
        let ratios = sorted(pairs.iter().map(|(ours, theirs)| ours / theirs));
        let (Some(least), Some(largest)) = (ratios.first(), ratios.last()) else { continue };
        text += &format!(
            "| {} | {} | {} | {:.3} | {least:.3}–{largest:.3} |\n",
            row.what,
            written(median(&sorted(pairs.iter().map(|(_, theirs)| *theirs)))),
            written(median(&sorted(pairs.iter().map(|(ours, _)| *ours)))),
            median(&ratios),
        );
    }
    text
}

fn sorted(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut numbers = Vec::from_iter(numbers);
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// The middle one, or the lower one of two.
fn median(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "round 1 of 2\n\
        | what | median | range | limit | aim |\n|---|---:|---:|---:|---:|\n\
        | a bid ÷ nothing | 3.074 | 2.718–3.204 | ≤ 3.5 | ≤ 2.6 |\n\
        | memory, idle | 18.1 MB | 18.1 MB–18.1 MB | ≤ 40 MB | ≤ 20 MB |\n";

    fn measured(what: &str, median: f64, unit: &str) -> Measured {
        Measured { what: what.to_owned(), median, unit: unit.to_owned() }
    }

    #[test]
    fn rows_are_read_from_what_a_bench_prints() {
        let expected = vec![measured("a bid ÷ nothing", 3.074, ""), measured("memory, idle", 18.1, "MB")];
        assert_eq!(rows(PRINTED), expected);
        assert_eq!(rows("bench: can't start"), []);
    }

    #[test]
    fn rows_of_equal_names_are_compared_turn_by_turn() {
        let turn = |bid, page| vec![measured("a bid", bid, "µs"), measured("a page", page, "")];
        let ours = [turn(20.0, 2.0), turn(30.0, 2.0), turn(24.0, 2.0)];
        let theirs = [30.0, 40.0, 30.0].map(|bid| vec![measured("a bid", bid, "µs")]);
        let table = table("b6b9d04", &ours, &theirs);
        assert_eq!(
            table.lines().skip(2).collect::<Vec<_>>(),
            ["| a bid | 30 µs | 24 µs | 0.750 | 0.667–0.800 |"]
        );
    }
}
