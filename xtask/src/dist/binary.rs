//! The binary of a release, without the names of folders of the machine that built it.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::site;
use crate::toolchain;
use crate::workspace::{BROWSER_TARGET, Workspace};

/// Builds the binary for a target, with the site that it embeds. Returns its path.
pub fn build(workspace: &Workspace, target: &str, epoch: u64) -> Result<PathBuf> {
    let remapped = remapped(workspace, target, epoch)?;
    toolchain::ensure_targets(&remapped)?;
    site::build(&remapped)?;
    let package =
        ["build", "--locked", "--profile=dist", "-p", "server", "--bin", "farthing", "--target", target];
    process::run(remapped.cargo().args(package))?;
    Ok(workspace.target.join(target).join("dist/farthing"))
}

/// The workspace, with settings that replace the names of folders in what is compiled, and every time by that
/// of the commit.
fn remapped(workspace: &Workspace, target: &str, epoch: u64) -> Result<Workspace> {
    let names = [(cargo_home()?, "/cargo"), (workspace.root.clone(), "/farthing")];
    let quoted =
        |(folder, name): &(PathBuf, &str)| format!("'--remap-path-prefix={}={name}'", folder.display());
    let flags = names.iter().map(quoted).collect::<Vec<_>>().join(",");
    let for_c = names.iter().map(|(folder, name)| format!("-ffile-prefix-map={}={name}", folder.display()));
    let for_c = for_c.collect::<Vec<_>>().join(" ");
    let cargo_settings =
        [target, BROWSER_TARGET].map(|target| format!("target.{target}.rustflags=[{flags}]"));
    let variables = [
        ("SOURCE_DATE_EPOCH".to_owned(), epoch.to_string()),
        (format!("CFLAGS_{}", target.replace('-', "_")), for_c),
    ];
    Ok(Workspace {
        root: workspace.root.clone(),
        target: workspace.target.clone(),
        cargo_settings: cargo_settings.into(),
        variables: variables.into(),
    })
}

/// The folder in which cargo keeps the sources of dependencies.
fn cargo_home() -> Result<PathBuf> {
    let named = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    named.or_else(home).context("neither CARGO_HOME nor HOME is set")
}

/// Fails if the binary names a folder of this machine: another folder would give other bytes.
pub fn check_paths(binary: &[u8], workspace: &Workspace) -> Result<()> {
    for folder in [cargo_home()?, workspace.root.clone()] {
        let name = format!("{}/", folder.display());
        if let Some(at) = binary.windows(name.len()).position(|window| window == name.as_bytes()) {
            let end = binary.len().min(at + 120);
            bail!("the binary names a folder of this machine: {}", String::from_utf8_lossy(&binary[at..end]));
        }
    }
    Ok(())
}

/// The oldest version of the C library that has every symbol which the binary uses.
pub fn oldest_glibc(binary: &[u8]) -> Result<String> {
    let versions: BTreeSet<Vec<u32>> = symbol_versions(binary, b"GLIBC_").collect();
    let oldest = versions.last().context("the binary uses no symbol of the C library")?;
    Ok(oldest.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
}

/// The numbers that follow a prefix in the binary's strings, each of which ends with a zero byte.
fn symbol_versions(binary: &[u8], prefix: &'static [u8]) -> impl Iterator<Item = Vec<u32>> {
    let starts = binary.windows(prefix.len()).enumerate().filter(move |(_, window)| *window == prefix);
    starts.filter_map(move |(at, _)| {
        let rest = &binary[at + prefix.len()..];
        let end = rest.iter().take(16).position(|byte| *byte == 0)?;
        let text = str::from_utf8(&rest[..end]).ok()?;
        text.split('.').map(|part| part.parse().ok()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_symbol_decides() {
        let binary = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.17\0GLIBC_PRIVATE\0GLIBC_";
        assert_eq!(oldest_glibc(binary).unwrap(), "2.34");
        oldest_glibc(b"static").unwrap_err();
    }

    #[test]
    fn a_folder_of_this_machine_is_found() {
        let workspace = Workspace::find().unwrap();
        check_paths(b"/farthing/server/src/main.rs", &workspace).unwrap();
        let name = workspace.root.join("server/src/main.rs").display().to_string();
        check_paths(name.as_bytes(), &workspace).unwrap_err();
    }
}
