//! `farthing-VERSION-TARGET.tar.zst`: what an installation downloads for an update, and what any Linux can be
//! installed from.

use anyhow::Result;

use super::BuiltRelease;
use super::tree::Tree;

/// Returns the name of the file and its contents.
pub fn make(release: &BuiltRelease<'_>) -> Result<(String, Vec<u8>)> {
    let mut tree = Tree::default();
    contents(release, &mut tree, &release.name())?;
    Ok((format!("{}.tar.zst", release.name()), release.compress(&tree.tar(release.epoch)?)?))
}

/// Adds the release below a folder.
pub fn contents(release: &BuiltRelease<'_>, tree: &mut Tree, folder: &str) -> Result<()> {
    let root = &release.workspace.root;
    tree.file(&format!("{folder}/farthing"), 0o755, release.binary.clone());
    tree.file(&format!("{folder}/install-release"), 0o755, release.template("install-release")?);
    tree.file(&format!("{folder}/farthing.sh"), 0o755, release.template("farthing.sh")?);
    tree.file(&format!("{folder}/update.toml"), 0o644, release.template("update.toml")?);
    tree.file(&format!("{folder}/farthing.toml"), 0o644, settings(release)?);
    if let Some(keys) = &release.public_keys {
        tree.file(&format!("{folder}/release-keys.pub"), 0o644, keys.clone());
    }
    for file in ["LICENSE", "README.md", "CHANGELOG.md"] {
        tree.copy(&format!("{folder}/{file}"), 0o644, &root.join(file))?;
    }
    for unit in UNITS {
        tree.copy(&format!("{folder}/{unit}"), 0o644, &root.join("docs/operate").join(unit))?;
    }
    tree.copy_folder(&format!("{folder}/docs/operate"), &root.join("docs/operate"))
}

/// Units for systemd, in `docs/operate`.
pub const UNITS: [&str; 2] = ["farthing.service", "farthing@.service"];

/// The settings with which an installation begins.
pub fn settings(release: &BuiltRelease<'_>) -> Result<String> {
    let source = match &release.releases_url {
        Some(url) => format!("releases-url = \"{url}\""),
        None => "releases-url = \"off\"".to_owned(),
    };
    Ok(release.template("farthing.toml")?.replace("@RELEASES_URL@", &source))
}
