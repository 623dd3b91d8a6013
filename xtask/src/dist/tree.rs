//! Files as an archive holds them, the same bytes on every machine: sorted by path, with one time, and with
//! the owners and modes that are set here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tar::{Builder, EntryType, Header};

use crate::path_context::PathContext;

/// User and group.
pub type Owner = (u64, u64);

const ROOT: Owner = (0, 0);

enum Kind {
    Folder,
    File(Vec<u8>),
    /// With the path that it leads to.
    Link(String),
}

struct Entry {
    kind: Kind,
    mode: u32,
    owner: Owner,
}

/// Paths are relative, with forward slashes.
#[derive(Default)]
pub struct Tree {
    entries: BTreeMap<String, Entry>,
}

impl Tree {
    /// Adds a file. Folders above it that are missing are added, too.
    pub fn file(&mut self, path: &str, mode: u32, bytes: impl Into<Vec<u8>>) {
        self.add(path, Kind::File(bytes.into()), mode, ROOT);
    }

    /// Adds a file of this machine.
    pub fn copy(&mut self, path: &str, mode: u32, from: &Path) -> Result<()> {
        self.file(path, mode, fs::read(from).on_path("read", from)?);
        Ok(())
    }

    /// Adds the files of a folder of this machine, and of the folders in it.
    pub fn copy_folder(&mut self, path: &str, from: &Path) -> Result<()> {
        for entry in fs::read_dir(from).on_path("read", from)? {
            let entry = entry.on_path("read", from)?;
            let path = format!("{path}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                self.copy_folder(&path, &entry.path())?;
            } else {
                self.copy(&path, 0o644, &entry.path())?;
            }
        }
        Ok(())
    }

    pub fn link(&mut self, path: &str, to: &str) {
        self.add(path, Kind::Link(to.to_owned()), 0o777, ROOT);
    }

    pub fn folder(&mut self, path: &str, mode: u32, owner: Owner) {
        self.add(path, Kind::Folder, mode, owner);
    }

    fn add(&mut self, path: &str, kind: Kind, mode: u32, owner: Owner) {
        for (end, _) in path.match_indices('/') {
            let folder = || Entry { kind: Kind::Folder, mode: 0o755, owner: ROOT };
            self.entries.entry(path[..end].to_owned()).or_insert_with(folder);
        }
        self.entries.insert(path.to_owned(), Entry { kind, mode, owner });
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Size of all files in bytes.
    pub fn size(&self) -> usize {
        let sizes = self.entries.values().map(|entry| match &entry.kind {
            Kind::File(bytes) => bytes.len(),
            Kind::Folder | Kind::Link(_) => 0,
        });
        sizes.sum()
    }

    /// The uncompressed archive.
    pub fn tar(&self, modified: u64) -> Result<Vec<u8>> {
        let mut builder = Builder::new(Vec::new());
        for (path, entry) in &self.entries {
            let mut header = Header::new_gnu();
            header.set_mode(entry.mode);
            header.set_uid(entry.owner.0);
            header.set_gid(entry.owner.1);
            header.set_mtime(modified);
            header.set_size(0);
            let added = match &entry.kind {
                Kind::Folder => {
                    header.set_entry_type(EntryType::Directory);
                    builder.append_data(&mut header, format!("{path}/"), &[][..])
                }
                Kind::File(bytes) => {
                    header.set_entry_type(EntryType::Regular);
                    header.set_size(bytes.len() as u64);
                    builder.append_data(&mut header, path, &bytes[..])
                }
                Kind::Link(to) => {
                    header.set_entry_type(EntryType::Symlink);
                    builder.append_link(&mut header, path, to)
                }
            };
            added.with_context(|| format!("cannot pack {path}"))?;
        }
        builder.into_inner().context("cannot finish an archive")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_adding_does_not_change_the_bytes() {
        let tar = |paths: &[&str]| {
            let mut tree = Tree::default();
            for path in paths {
                tree.file(path, 0o644, *path);
            }
            tree.link("z", "a/b");
            tree.tar(1).unwrap()
        };
        assert_eq!(tar(&["a/b", "a/c", "d"]), tar(&["d", "a/c", "a/b"]));
    }

    #[test]
    fn folders_come_first_and_modes_are_kept() {
        let mut tree = Tree::default();
        tree.file("usr/bin/x", 0o755, "binary");
        tree.folder("data", 0o770, (7, 8));
        let bytes = tree.tar(5).unwrap();
        let mut archive = tar::Archive::new(&bytes[..]);
        let entries = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            let header = entry.header();
            assert_eq!(header.mtime().unwrap(), 5);
            let path = entry.path().unwrap().to_string_lossy().into_owned();
            (path, header.mode().unwrap(), header.uid().unwrap(), header.gid().unwrap())
        });
        let expected = [
            ("data/", 0o770, 7, 8),
            ("usr/", 0o755, 0, 0),
            ("usr/bin/", 0o755, 0, 0),
            ("usr/bin/x", 0o755, 0, 0),
        ];
        assert_eq!(
            entries.collect::<Vec<_>>(),
            expected.map(|(path, mode, uid, gid)| (path.to_owned(), mode, uid, gid))
        );
    }
}
