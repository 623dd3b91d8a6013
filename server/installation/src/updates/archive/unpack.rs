//! Unpacks an archive: folders and files below one folder, within bounds. Everything else is refused, so that
//! nothing is written elsewhere.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{Error, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use ruzstd::decoding::StreamingDecoder;
use tar::EntryType;

const ENTRIES_MAX: usize = 2000;
const UNPACKED_BYTES_MAX: u64 = 1 << 30;

/// Why an archive was not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    #[error("it is damaged: {0}")]
    Damaged(Error),
    #[error("its entry `{0}` is neither a file nor a folder")]
    Kind(String),
    #[error("its entry `{path}` is not below the folder `{root}`")]
    Outside { path: String, root: String },
    #[error("it has more than {ENTRIES_MAX} entries")]
    TooMany,
    #[error("it has more than {} MiB unpacked", UNPACKED_BYTES_MAX >> 20)]
    TooLarge,
    #[error("can't write `{path}`: {cause}")]
    Write { path: PathBuf, cause: Error },
}

/// Unpacks what is below the folder `root` of a compressed archive into the new folder `to`, durably.
pub fn unpack(archive: impl Read, root: &str, to: &Path) -> Result<(), UnpackError> {
    let write = |path: &Path| {
        let path = path.to_owned();
        move |cause| UnpackError::Write { path, cause }
    };
    std::fs::create_dir(to).map_err(write(to))?;
    let decoded =
        StreamingDecoder::new(archive).map_err(|error| UnpackError::Damaged(Error::other(error)))?;
    let mut archive = tar::Archive::new(decoded);
    // Raw, because an extension of the format could rename an entry or fill the memory.
    let entries = archive.entries().map_err(UnpackError::Damaged)?.raw(true);
    let mut left = UNPACKED_BYTES_MAX;
    for (number, entry) in entries.enumerate() {
        let mut entry = entry.map_err(UnpackError::Damaged)?;
        if number == ENTRIES_MAX {
            return Err(UnpackError::TooMany);
        }
        let path = PathBuf::from(OsStr::from_bytes(&entry.path_bytes()));
        let shown = || path.display().to_string().chars().filter(|letter| !letter.is_control()).collect();
        let kind = entry.header().entry_type();
        if !matches!(kind, EntryType::Regular | EntryType::Directory) {
            return Err(UnpackError::Kind(shown()));
        }
        let place = below(&path, root)
            .ok_or_else(|| UnpackError::Outside { path: shown(), root: root.to_owned() })?;
        let place = to.join(place);
        if kind == EntryType::Directory {
            std::fs::create_dir_all(&place).map_err(write(&place))?;
            continue;
        }
        let size = entry.header().size().map_err(UnpackError::Damaged)?;
        left = left.checked_sub(size).ok_or(UnpackError::TooLarge)?;
        let is_program = entry.header().mode().map_err(UnpackError::Damaged)? & 0o111 != 0;
        write_file(&mut entry, size, &place, is_program).map_err(write(&place))?;
    }
    sync_folders(to).map_err(write(to))
}

/// The path below the folder `root`; `None` if it is not there.
fn below<'p>(path: &'p Path, root: &str) -> Option<&'p Path> {
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    path.strip_prefix(root).ok().filter(|_| is_plain)
}

/// Writes a file that does not exist, with all folders above it.
fn write_file(content: impl Read, size: u64, to: &Path, is_program: bool) -> Result<(), Error> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mode = if is_program { 0o755 } else { 0o644 };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(to)?;
    if std::io::copy(&mut content.take(size), &mut file)? < size {
        return Err(Error::other("the archive ends early"));
    }
    file.sync_all()
}

fn sync_folders(folder: &Path) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use tar::{Builder, Header};

    use super::*;

    /// A header with this path, whatever it is.
    fn header(path: &str, kind: EntryType, size: u64) -> Header {
        let mut header = Header::new_ustar();
        let name = &mut header.as_old_mut().name;
        name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(size);
        header.set_cksum();
        header
    }

    fn packed(entries: &[(Header, &[u8])]) -> Vec<u8> {
        let mut builder = Builder::new(Vec::new());
        for (header, content) in entries {
            builder.append(header, *content).unwrap();
        }
        compress_to_vec(builder.into_inner().unwrap().as_slice(), CompressionLevel::Fastest)
    }

    fn unpacked(archive: &[u8]) -> (tempfile::TempDir, Result<(), UnpackError>) {
        let folder = tempfile::tempdir().unwrap();
        let done = unpack(archive, "root", &folder.path().join("new"));
        (folder, done)
    }

    #[test]
    fn files_and_folders_are_unpacked_without_the_root() {
        let mut program = header("root/farthing", EntryType::Regular, 2);
        program.set_mode(0o4755);
        program.set_cksum();
        let archive = packed(&[
            (header("root/", EntryType::Directory, 0), b""),
            (program, b"#!"),
            (header("root/docs/operate/a.md", EntryType::Regular, 1), b"a"),
        ]);
        let (folder, done) = unpacked(&archive);
        done.unwrap();
        let read = |path: &str| std::fs::read_to_string(folder.path().join("new").join(path)).unwrap();
        assert_eq!((read("farthing"), read("docs/operate/a.md")), ("#!".to_owned(), "a".to_owned()));
        let mode = std::fs::metadata(folder.path().join("new/farthing")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7111, 0o111, "executable, and nothing more: {mode:o}");
    }

    #[test]
    fn an_entry_elsewhere_or_of_another_kind_is_refused() {
        for path in ["/etc/x", "../x", "root/../../x", "root/../x", "x", "rooted/x", "./root/x", "root"] {
            let (folder, done) = unpacked(&packed(&[(header(path, EntryType::Regular, 1), b"x")]));
            let error = done.unwrap_err();
            let is_refused = match path {
                "root" => matches!(error, UnpackError::Write { .. }),
                _ => matches!(error, UnpackError::Outside { .. }),
            };
            assert!(is_refused, "{path}: {error}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{path}");
            assert_eq!(std::fs::read_dir(folder.path().join("new")).unwrap().count(), 0, "{path}");
        }
        for kind in [
            EntryType::Symlink,
            EntryType::Link,
            EntryType::Char,
            EntryType::Block,
            EntryType::Fifo,
            EntryType::GNUSparse,
            EntryType::GNULongName,
            EntryType::GNULongLink,
            EntryType::XHeader,
            EntryType::XGlobalHeader,
        ] {
            let (_folder, done) = unpacked(&packed(&[(header("root/x", kind, 0), b"")]));
            assert!(matches!(done, Err(UnpackError::Kind(_))), "{kind:?}: {done:?}");
        }
    }

    #[test]
    fn no_entry_replaces_another() {
        let file = || header("root/x", EntryType::Regular, 1);
        let below = header("root/x/y", EntryType::Regular, 1);
        for second in [file(), below, header("root/x", EntryType::Directory, 0)] {
            let content: &[u8] = if second.entry_type() == EntryType::Directory { b"" } else { b"y" };
            let (_folder, done) = unpacked(&packed(&[(file(), b"x"), (second, content)]));
            assert!(matches!(done, Err(UnpackError::Write { .. })), "{done:?}");
        }
    }

    #[test]
    fn size_and_number_of_entries_are_bounded() {
        // What the header announces counts, before anything is written.
        let bomb = packed(&[(header("root/x", EntryType::Regular, UNPACKED_BYTES_MAX + 1), b"x")]);
        let (folder, done) = unpacked(&bomb);
        assert!(matches!(done, Err(UnpackError::TooLarge)), "{done:?}");
        assert!(!folder.path().join("new/x").exists());
        let half = || header("root/x", EntryType::Regular, UNPACKED_BYTES_MAX);
        let (_folder, done) =
            unpacked(&packed(&[(header("root/a", EntryType::Regular, 1), b"a"), (half(), b"")]));
        assert!(matches!(done, Err(UnpackError::TooLarge)), "{done:?}");
        let many: Vec<_> =
            (0..=ENTRIES_MAX).map(|_| (header("root/", EntryType::Directory, 0), &b""[..])).collect();
        let (_folder, done) = unpacked(&packed(&many));
        assert!(matches!(done, Err(UnpackError::TooMany)), "{done:?}");
    }

    #[test]
    fn a_damaged_archive_is_refused() {
        let whole = packed(&[(header("root/x", EntryType::Regular, 3000), &[b'x'; 3000])]);
        for damaged in [&b""[..], b"x", &whole[..whole.len() / 2], b"not an archive at all, but a text"] {
            let (_folder, done) = unpacked(damaged);
            assert!(done.is_err());
        }
    }
}
