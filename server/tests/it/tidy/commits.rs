//! Subjects of commits fit into one line of a terminal.

use std::process::Command;

use super::source::root;

const COLUMNS_MAX: usize = 72;
/// The last commit that is not checked.
const BEFORE: &str = "cbf223f0464800f55cb5516de72e570413a45a1e";

#[test]
fn subjects_of_commits_have_at_most_72_columns() {
    let range = format!("{BEFORE}..HEAD");
    let log =
        Command::new("git").current_dir(root()).args(["log", "--no-merges", "--format=%s", &range]).output();
    // A copy of the tree and a shallow clone have no history.
    let Some(log) = log.ok().filter(|log| log.status.success()) else { return };
    let subjects = String::from_utf8_lossy(&log.stdout);
    let long: Vec<&str> = subjects.lines().filter(|subject| subject.chars().count() > COLUMNS_MAX).collect();
    assert!(long.is_empty(), "shorten these subjects: {long:#?}");
}
