//! The environment variables that the commands of an update inherit (SPEC, section 8).

use std::ffi::OsString;
use std::path::PathBuf;

use super::{BucketAccess, FileError, SETTINGS};

const INHERITED: [&str; 3] = ["PATH", "HOME", "LANG"];
const INHERITED_PREFIXES: [&str; 2] = ["CARGO_", "RUSTUP_"];
const PREFIX: &str = "FARTHING_";
/// Variables from process to process, those of the commands of an update, and those of the tests.
const INTERNAL: [&str; 9] = [
    INSTALLED_VARIABLE,
    "FARTHING_ANNOUNCE_TO",
    "FARTHING_UPDATE_RUN",
    "FARTHING_TAG",
    "FARTHING_VERSION",
    "FARTHING_BACKUP",
    "FARTHING_SITE_DIR",
    "FARTHING_LONG_TESTS",
    "FARTHING_BENCH",
];
const TESTS_PREFIX: &str = "FARTHING_TEST_";
/// Matched without regard to case.
const PROXIES: [&str; 4] = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"];

/// Names the binary with which the installation began to the processes that it has started.
pub const INSTALLED_VARIABLE: &str = "FARTHING_INSTALLED_BINARY";

/// The binary with which the installation began; `None` if it is that of this process.
#[expect(clippy::disallowed_methods, reason = "a part of the configuration: passed from process to process")]
pub fn installed_binary() -> Option<PathBuf> {
    std::env::var_os(INSTALLED_VARIABLE).map(PathBuf::from)
}

/// Address and credentials of the store of a bucket, in the variables of its usual clients.
#[expect(clippy::disallowed_methods, reason = "a part of the configuration")]
pub(super) fn bucket_access() -> BucketAccess {
    let text =
        |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    BucketAccess::from_variables(std::env::vars_os().filter_map(text))
}

/// The content of the file that a variable names, if it is set.
#[expect(clippy::disallowed_methods, reason = "a part of the configuration")]
pub(super) fn named_file(variable: &'static str) -> Result<Option<String>, FileError> {
    let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) else { return Ok(None) };
    let read = std::fs::read_to_string(&path);
    read.map(Some).map_err(|cause| FileError::Read { path: PathBuf::from(path).display().to_string(), cause })
}

/// Variables that look like settings and are none, perhaps by a typo.
#[expect(clippy::disallowed_methods, reason = "a part of the configuration")]
pub fn unknown_variables() -> Vec<String> {
    std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| is_unknown(name))
        .collect()
}

fn is_unknown(name: &str) -> bool {
    let is_setting = |name: &str| SETTINGS.iter().any(|setting| setting.variable == name);
    name.starts_with(PREFIX)
        && !is_setting(name)
        && !name.strip_suffix("_FILE").is_some_and(is_setting)
        && !INTERNAL.contains(&name)
        && !name.starts_with(TESTS_PREFIX)
}

/// What the programs of PostgreSQL inherit besides: the variables of its clients, which Farthing reads, too.
#[expect(clippy::disallowed_methods, reason = "a part of the configuration: what commands inherit")]
pub fn postgres_environment() -> Vec<(OsString, OsString)> {
    let is_of_client = |name: &OsString| name.to_str().is_some_and(|name| name.starts_with("PG"));
    let own = std::env::vars_os().filter(|(name, _)| is_of_client(name));
    command_environment().into_iter().chain(own).collect()
}

/// Whether a program of this name is in one of the folders of `PATH`.
#[expect(clippy::disallowed_methods, reason = "a part of the configuration: where commands are found")]
pub fn is_in_path(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// The inherited variables. Secrets of the server are not among them.
#[expect(clippy::disallowed_methods, reason = "a part of the configuration: what commands inherit")]
pub fn command_environment() -> Vec<(OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_inherited)).collect()
}

fn is_inherited(name: &str) -> bool {
    INHERITED.contains(&name)
        || INHERITED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || PROXIES.iter().any(|proxy| proxy.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::{is_inherited, is_unknown};

    #[test]
    fn a_mistyped_variable_is_noticed() {
        for name in ["FARTHING_LISTEN", "FARTHING_SMTP_URL_FILE", "FARTHING_TAG", "DATABASE_URL", "PATH"] {
            assert!(!is_unknown(name), "{name}");
        }
        for name in ["FARTHING_LISTENS", "FARTHING_PUBLICURL", "FARTHING_X_FILE"] {
            assert!(is_unknown(name), "{name}");
        }
    }

    #[test]
    fn secrets_are_not_inherited() {
        for name in ["PATH", "HOME", "LANG", "CARGO_HOME", "RUSTUP_TOOLCHAIN", "HTTPS_PROXY", "no_proxy"] {
            assert!(is_inherited(name), "{name}");
        }
        for name in
            ["DATABASE_URL", "FARTHING_DATA_DIR", "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD", "CARGO", "PATHS"]
        {
            assert!(!is_inherited(name), "{name}");
        }
    }
}
