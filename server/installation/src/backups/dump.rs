//! Dumps of a PostgreSQL database, by the programs of PostgreSQL where they are installed.

use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::command::{CommandError, Discard, Task};
use crate::config::{is_in_path, postgres_environment};
use platform::db::{Database, OpenError};
use platform::files::{sync_folder, with_suffix};
use url::Url;

const DUMP: &str = "pg_dump";
const RESTORE: &str = "pg_restore";
/// A dump takes as long as it takes; one that hangs ends some time.
const DUMP_MAX: Duration = Duration::from_secs(12 * 60 * 60);
const PARTIAL: &str = ".partial";
/// A dump in the custom format begins with this.
const MAGIC: [u8; 5] = *b"PGDMP";
/// The schema that a whole database has without any other.
const PUBLIC: &str = "public";

/// There is no dump.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    #[error(
        "`{DUMP}` is not installed, with which Farthing backs up PostgreSQL: install the client of PostgreSQL, or back up \
         the database yourself"
    )]
    NotInstalled,
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the database has no address that `{DUMP}` can use")]
    Address,
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error("can't use `{path}`: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
}

/// Whether this machine has the program that makes dumps.
pub fn is_installed() -> bool {
    is_in_path(DUMP)
}

/// Whether the file begins as a dump.
pub fn is_dump(path: &Path) -> bool {
    let mut begin = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == MAGIC
}

/// Dumps the database at `address`, which may be in use, to the new file `to`. The dump is consistent, was
/// read back, and is on the disk when this returns; `to` does not exist before.
pub async fn dump(address: &str, to: &Path) -> Result<(), DumpError> {
    if !is_installed() {
        return Err(DumpError::NotInstalled);
    }
    let schema = Database::existing_schema(address).await?;
    let (address, password) = without_password(address).ok_or(DumpError::Address)?;
    let partial = with_suffix(to, PARTIAL);
    let mut task = task(DUMP, to)
        .arguments(["--format=custom", "--no-password", "--lock-wait-timeout=60s", "--dbname", &address])
        .arguments([OsString::from("--file"), partial.clone().into_os_string()])
        // The list of processes shows arguments to everybody.
        .environment(password.map(|password| ("PGPASSWORD".into(), password.into())));
    if schema != PUBLIC {
        task = task.arguments([format!("--schema=\"{schema}\"")]);
    }
    let made = async {
        task.run(DUMP_MAX, &mut Discard).await?;
        check(&partial).await?;
        let kept = File::open(&partial).and_then(|file| file.sync_all());
        let kept = kept.and_then(|()| std::fs::rename(&partial, to)).and_then(|()| sync_folder(to));
        kept.map_err(|cause| DumpError::Io { path: to.to_owned(), cause })
    };
    let made = made.await;
    if made.is_err() {
        // The first error is returned, whether or not this succeeds.
        let _ = std::fs::remove_file(&partial);
    }
    made
}

/// Reads the whole dump.
pub async fn check(path: &Path) -> Result<(), DumpError> {
    // The program runs in the folder of the dump.
    let io = |cause| DumpError::Io { path: path.to_owned(), cause };
    let path = std::path::absolute(path).map_err(io)?;
    let task = task(RESTORE, &path).arguments(["--file=/dev/null"]).arguments([&path]);
    match task.run(DUMP_MAX, &mut Discard).await {
        Err(CommandError::Start { cause, .. }) if cause.kind() == ErrorKind::NotFound => {
            Err(DumpError::NotInstalled)
        }
        done => Ok(done?),
    }
}

fn task(program: &str, beside: &Path) -> Task {
    Task::new(program, beside.parent().unwrap_or(Path::new("/"))).environment(postgres_environment())
}

/// The address for a command line, and its password.
fn without_password(address: &str) -> Option<(String, Option<String>)> {
    let mut url = Url::parse(address).ok()?;
    let decoded = |text: &str| {
        let pair = format!("password={}", text.replace('+', "%2B").replace('&', "%26"));
        url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned())
    };
    let mut password = url.password().and_then(decoded);
    if password.is_some() {
        url.set_password(None).ok()?;
    }
    let (mut others, query) = (Vec::new(), url.query().unwrap_or_default().to_owned());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.strip_prefix("password=") {
            Some(given) => password = decoded(given),
            None => others.push(pair),
        }
    }
    url.set_query((!others.is_empty()).then(|| others.join("&")).as_deref());
    Some((url.into(), password))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_not_an_argument() {
        for (given, address, password) in [
            ("postgres://ada@h/x", "postgres://ada@h/x", None),
            ("postgres://ada:p%40s+s@h:5433/x", "postgres://ada@h:5433/x", Some("p@s+s")),
            ("postgres://h/x?sslmode=require&password=a%26b", "postgres://h/x?sslmode=require", Some("a&b")),
            ("postgres:///x?host=/run/postgresql", "postgres:///x?host=/run/postgresql", None),
            (
                "postgres://h/x?options=-csearch_path%3Dsale",
                "postgres://h/x?options=-csearch_path%3Dsale",
                None,
            ),
        ] {
            let wanted = (address.to_owned(), password.map(str::to_owned));
            assert_eq!(without_password(given), Some(wanted), "{given}");
        }
    }

    #[tokio::test]
    async fn a_cut_dump_and_another_file_are_no_dumps() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.dump");
        std::fs::write(&path, "PGDM").unwrap();
        assert!(!is_dump(&path));
        std::fs::write(&path, "PGDMP and nothing more").unwrap();
        assert!(is_dump(&path));
        assert!(check(&path).await.is_err());
    }
}
