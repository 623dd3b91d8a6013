//! Every kind of mail, read by SpamAssassin with its own rules and without a network.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::commands::test::PRODUCT;
use crate::path_context::PathContext;
use crate::pristine::{Pristine, version};
use crate::process;
use crate::works_with::Program;
use crate::workspace::Workspace;

const PACKAGE: &str = "spamassassin";

/// The test that sends every kind once, and how many mails that are.
const TEST: (&str, usize) = ("mail::kinds::every_kind_of_mail", 22);

pub fn check(workspace: &Workspace, pristine: &Pristine) -> Result<Program> {
    pristine.with(&[PACKAGE], |root| {
        let mails = root.join("mails");
        fs::create_dir_all(&mails).on_path("create", &mails)?;
        let mut test = workspace.cargo();
        test.args(["test", "--release"]).args(PRODUCT).args(["--test", "it", "--", TEST.0]);
        process::run(test.env("FARTHING_TEST_DATABASE", "sqlite").env("FARTHING_TEST_MAILS", &mails))?;
        judge(root)?;
        let seen = "every kind of mail has a score of 0.0 or less, by its own rules and without a network";
        Ok(Program::new("SpamAssassin", &version(root, PACKAGE)?, seen))
    })
}

/// Fails if a mail of the folder has a score above nothing.
fn judge(root: &Path) -> Result<()> {
    let mut filter = Command::new("unshare");
    filter.args(["--net", "--mount-proc", "--pid", "--fork", "--kill-child", "--root"]).arg(root);
    let read = process::output(filter.args([PACKAGE, "--local", "--nocreate-prefs", "/mails"]))?;
    // A line that goes on begins with a blank.
    let read = read.replace("\n\t", " ");
    let scores: Vec<&str> = read.lines().filter_map(|line| line.strip_prefix("X-Spam-Status: ")).collect();
    ensure!(scores.len() == TEST.1, "{} mails were sent and read, not {}", scores.len(), TEST.1);
    for line in scores {
        let score = line.split_once("score=").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        let score: f64 = score.with_context(|| format!("no score in `{line}`"))?;
        ensure!(score <= 0.0, "a mail looks like spam: {line}");
    }
    Ok(())
}
