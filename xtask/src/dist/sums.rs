//! `SHA256SUMS`, which `sha256sum --check` reads.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;
use sha2::{Digest, Sha256};

use crate::path_context::PathContext;

pub const NAME: &str = "SHA256SUMS";

/// Lines for every file of the folder, except this one and its signature: also for files of other targets,
/// which were made on another machine and copied here.
pub fn of_folder(folder: &Path) -> Result<String> {
    let mut sums = BTreeMap::new();
    for entry in fs::read_dir(folder).on_path("read", folder)? {
        let path = entry.on_path("read", folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with(NAME) {
            sums.insert(name, hex(&fs::read(&path).on_path("read", &path)?));
        }
    }
    Ok(sums.into_iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect())
}

/// SHA-256 in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_but_the_sums_has_a_line() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", "a", "SHA256SUMS", "SHA256SUMS.minisig"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(of_folder(folder.path()).unwrap(), format!("{empty}  a\n{empty}  b\n"));
    }
}
