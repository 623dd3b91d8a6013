//! What has to be true before a release, as one list.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use minisign::SecretKey;

use super::{PUBLIC_KEYS, changes, git, signature, sums, version};
use crate::path_context::PathContext;
use crate::process;
use crate::workspace::Workspace;

/// Databases of released versions, which a test opens: `1.2.0.db.gz` and the like.
const DATABASES: &str = "server/tests/databases";

/// Checks everything and prints the state of each item. Returns whether a release can be made.
pub fn check(workspace: &Workspace, key: Option<&SecretKey>) -> bool {
    let items: [(&str, Result<()>); 10] = [
        ("the version is a plain one, such as 1.2.0", is_plain(version())),
        ("CHANGELOG.md has the version", changelog(workspace)),
        ("the version has no tag yet", no_tag(workspace)),
        ("the checkout is that of its commit", is_clean(workspace)),
        ("Cargo.lock is up to date", lock(workspace)),
        ("the schema has the recorded checksums", schema(workspace)),
        ("released migrations are unchanged", released_migrations(workspace)),
        ("a test opens a database of this and of each released version", databases(workspace)),
        ("the key is among those that are shipped", keys(workspace, key)),
        ("links between documents lead somewhere", links(workspace)),
    ];
    let mut ready = true;
    for (item, state) in items {
        match state {
            Ok(()) => println!("ok       {item}"),
            Err(error) => {
                ready = false;
                println!("missing  {item}: {error:#}");
            }
        }
    }
    println!(
        "to do    `cargo xtask test --all` passes; the notes of the release are the section of CHANGELOG.md"
    );
    ready
}

fn is_plain(version: &str) -> Result<()> {
    let numbers = version.split('.').map(|part| part.parse::<u32>().is_ok());
    ensure!(numbers.clone().count() == 3 && numbers.clone().all(|number| number), "it is {version}");
    Ok(())
}

fn changelog(workspace: &Workspace) -> Result<()> {
    let heading = format!("## [{}]", version());
    let text = read(workspace, "CHANGELOG.md")?;
    ensure!(text.lines().any(|line| line.starts_with(&heading)), "there is no section `{heading}`");
    Ok(())
}

fn no_tag(workspace: &Workspace) -> Result<()> {
    let tag = format!("v{}", version());
    ensure!(git(workspace, &["tag", "--list", &tag])?.is_empty(), "the tag {tag} exists");
    Ok(())
}

fn is_clean(workspace: &Workspace) -> Result<()> {
    let changes = changes(workspace)?;
    ensure!(changes.is_empty(), "{}", changes.trim_end().replace('\n', ", "));
    Ok(())
}

fn lock(workspace: &Workspace) -> Result<()> {
    process::output(workspace.cargo().args(["metadata", "--format-version=1", "--locked"])).map(drop)
}

fn schema(workspace: &Workspace) -> Result<()> {
    let folder = workspace.root.join("migrations");
    let recorded = read(workspace, "migrations/checksums.txt")?;
    for entry in fs::read_dir(&folder).on_path("read", &folder)? {
        let path = entry.on_path("read", &folder)?.path();
        if path.extension().is_some_and(|extension| extension == "sql") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let line = format!("{}  {name}", sums::hex(&fs::read(&path).on_path("read", &path)?));
            ensure!(recorded.lines().any(|recorded| recorded == line), "checksums.txt lacks `{line}`");
        }
    }
    Ok(())
}

/// The migrations of the last release are as they were.
fn released_migrations(workspace: &Workspace) -> Result<()> {
    let Some(last) = released(workspace)?.pop() else { return Ok(()) };
    let range = format!("{last}..HEAD");
    let changed =
        git(workspace, &["log", "--format=%h", "--diff-filter=a", &range, "--", "migrations/*.sql"])?;
    ensure!(
        changed.is_empty(),
        "they were changed since {last} by {}",
        changed.trim_end().replace('\n', ", ")
    );
    Ok(())
}

fn databases(workspace: &Workspace) -> Result<()> {
    for tag in released(workspace)?.into_iter().chain([version().to_owned()]) {
        let name = format!("{}.db.gz", tag.trim_start_matches('v'));
        ensure!(workspace.root.join(DATABASES).join(&name).is_file(), "{DATABASES} lacks {name}");
    }
    Ok(())
}

/// The tags of releases, the oldest first.
fn released(workspace: &Workspace) -> Result<Vec<String>> {
    let tags = git(workspace, &["tag", "--list", "v*", "--sort=version:refname"])?;
    Ok(tags.lines().filter(|tag| is_plain(tag.trim_start_matches('v')).is_ok()).map(str::to_owned).collect())
}

fn keys(workspace: &Workspace, key: Option<&SecretKey>) -> Result<()> {
    let shipped = read(workspace, PUBLIC_KEYS)?;
    signature::check_shipped(key.context("no --key is given")?, &shipped)
}

/// Relative links in Markdown, in the folders that users read.
fn links(workspace: &Workspace) -> Result<()> {
    let mut dead = Vec::new();
    for document in git(workspace, &["ls-files", "*.md"])?.lines() {
        let text = read(workspace, document)?;
        let folder = Path::new(document).parent().unwrap_or(Path::new(""));
        for link in targets(&text) {
            if !workspace.root.join(folder).join(link).exists() {
                dead.push(format!("{document}: {link}"));
            }
        }
    }
    if !dead.is_empty() {
        bail!("{}", dead.join(", "));
    }
    Ok(())
}

/// The files that links of a document lead to, without places in them.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    let files = links.map(|link| link.split_once('#').map_or(link, |(file, _)| file));
    files.filter(|file| !file.is_empty() && !file.contains(':') && !file.contains(' '))
}

fn read(workspace: &Workspace, path: &str) -> Result<String> {
    let path = workspace.root.join(path);
    fs::read_to_string(&path).on_path("read", &path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_versions_are_released() {
        is_plain("1.20.3").unwrap();
        for version in ["1.2", "1.2.3-rc.1", "1.2.x", "v1.2.3"] {
            is_plain(version).unwrap_err();
        }
    }

    #[test]
    fn links_to_files_are_found() {
        let text = "[a](docs/a.md#part) ![b](b.png) [c](#here) [d](https://example.org/d) [e](../e.md)";
        assert_eq!(targets(text).collect::<Vec<_>>(), ["docs/a.md", "b.png", "../e.md"]);
    }

    /// A link that is dead today would be found at a release only.
    #[test]
    fn documents_of_this_checkout_have_no_dead_links() {
        let workspace = Workspace::find().unwrap();
        links(&workspace).unwrap();
        schema(&workspace).unwrap();
    }
}
