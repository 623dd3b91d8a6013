//! The owner of the data. A command that another user runs, root included, would leave files that the server
//! can't use.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use crate::config::Settings;
use platform::db::copy;

/// Another user owns the data.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{path}` belongs to another user, and what this user writes there would be of no use to the server: run `{command}`"
)]
pub struct OtherOwner {
    path: PathBuf,
    /// This command as the owner.
    command: String,
}

/// Fails unless this process runs as the owner of the data folder and of the database's file, as far as they
/// exist.
pub fn require_owner(settings: &Settings) -> Result<(), OtherOwner> {
    let database = copy::file_of(&settings.database_url).ok();
    let paths = [Some(settings.data_dir.clone()), database].into_iter().flatten();
    match paths.into_iter().find_map(|path| Some((other_owner(&path)?, path))) {
        Some((uid, path)) => {
            let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
            Err(OtherOwner { path, command: as_user(uid, words) })
        }
        None => Ok(()),
    }
}

/// The owner of an existing file if it is not this user.
fn other_owner(path: &Path) -> Option<u32> {
    let owner = std::fs::metadata(path).ok()?.uid();
    (owner != geteuid().as_raw()).then_some(owner)
}

/// The command line that runs `words` as the user with this id.
fn as_user(uid: u32, words: impl Iterator<Item = String>) -> String {
    let words = words.map(|word| quoted(&word));
    ["sudo".to_owned(), "-u".to_owned(), format!("'#{uid}'")]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_that_of_this_process() {
        let words = ["farthing", "backup", "it's a copy.db", ""].map(str::to_owned);
        assert_eq!(
            as_user(1000, words.into_iter()),
            r"sudo -u '#1000' farthing backup 'it'\''s a copy.db' ''"
        );
    }

    #[test]
    fn missing_files_and_own_files_are_permitted() {
        let folder = tempfile::tempdir().unwrap();
        let database_url = format!("sqlite://{}", folder.path().join("farthing.db").display());
        let data_dir = folder.path().join("data");
        let settings = Settings { database_url, data_dir: data_dir.clone(), ..Settings::default() };
        require_owner(&settings).unwrap();
        std::fs::create_dir(data_dir).unwrap();
        require_owner(&settings).unwrap();
    }
}
