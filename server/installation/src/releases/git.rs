//! The tags of the installation's `origin`. git is run with a list of arguments, without transports that run commands,
//! and without a password prompt. It is killed if it takes too long or writes too much.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::Command;

use super::api::https;
use super::{CheckError, Release, Tag};

const WAIT_MAX: Duration = Duration::from_secs(20);
const ANSWER_BYTES_MAX: u64 = 4 * 1024 * 1024;
const ERROR_BYTES_MAX: u64 = 4096;

/// Options before any git command: the allowed transports, and no hooks or monitors that the checkout configures.
pub const SAFE_OPTIONS: [&str; 12] = [
    "-c",
    "protocol.allow=never",
    "-c",
    "protocol.https.allow=always",
    "-c",
    "protocol.ssh.allow=always",
    "-c",
    "protocol.file.allow=always",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
];

pub(super) async fn latest(folder: &Path) -> Result<Release, CheckError> {
    if !folder.join(".git").exists() {
        return Err(CheckError::NoCheckout);
    }
    let listed = match run(folder, &["ls-remote", "--tags", "--refs", "--", "origin"]).await {
        Err(CheckError::Git(said)) => {
            let said = explain(folder, said).await;
            tracing::warn!(said, "git could not list the tags of `origin`");
            return Err(CheckError::Git(said));
        }
        listed => listed?,
    };
    let tag = highest(&listed).ok_or(CheckError::NoRelease)?;
    let origin = run(folder, &["config", "--get", "remote.origin.url"]).await.unwrap_or_default();
    Ok(Release { url: release_page(origin.trim(), &tag), tag })
}

/// git ignores the configuration of a checkout that another user owns. So it only says that there is no `origin`; another
/// command names the cause.
async fn explain(folder: &Path, said: String) -> String {
    match run(folder, &["rev-parse", "--git-dir"]).await {
        Err(CheckError::Git(cause)) => cause,
        _ => said,
    }
}

/// What git said of the checkout in `folder`, in one line without addresses, and a remedy if it refuses the owner.
pub fn words_of_git(errors: &str, folder: &Path) -> String {
    let said = first_line(errors);
    if !said.contains("dubious ownership") {
        return said;
    }
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    format!(
        "{said}. Another user owns the checkout: run `chown -R USER {0}` with the user of the server, or, as that user, \
         `git config --global --add safe.directory {0}`",
        folder.display()
    )
}

/// The highest plain version. Each line is a commit, a tab and a ref.
fn highest(listed: &str) -> Option<Tag> {
    let names = listed.lines().filter_map(|line| line.split_once("\trefs/tags/"));
    let tags = names.filter_map(|(_, name)| name.parse::<Tag>().ok());
    tags.max_by(|one, other| one.version().cmp(other.version()))
}

/// The page of a release at a known forge.
fn release_page(origin: &str, tag: &Tag) -> Option<String> {
    let place = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("ssh://git@"));
    let place = match place {
        Some(place) => place.to_owned(),
        None => origin.strip_prefix("git@")?.replacen(':', "/", 1),
    };
    let place = place.trim_end_matches('/').trim_end_matches(".git");
    let (host, path) = place.split_once('/')?;
    // A user name or password before the host must not be shown.
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let segment = match host {
        "github.com" | "codeberg.org" => "releases/tag",
        "gitlab.com" => "-/releases",
        _ => return None,
    };
    https(&format!("https://{host}/{path}/{segment}/{tag}"))
}

/// Runs git and returns its output.
async fn run(folder: &Path, arguments: &[&str]) -> Result<String, CheckError> {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(SAFE_OPTIONS)
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("DATABASE_URL")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| {
        tracing::warn!(error = &error as &dyn std::error::Error, "git can't be started");
        CheckError::NoGit
    })?;
    let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let (out, errors) = (child.stdout.take(), child.stderr.take());
    let read = async {
        let (out, errors) = tokio::join!(read(out, ANSWER_BYTES_MAX), read(errors, ERROR_BYTES_MAX));
        if out.len() > usize::try_from(ANSWER_BYTES_MAX).unwrap_or(usize::MAX) {
            return Err(CheckError::TooLarge);
        }
        let status = child.wait().await.map_err(|error| CheckError::Git(error.to_string()))?;
        if status.success() {
            return Ok(out);
        }
        Err(CheckError::Git(words_of_git(&errors, folder)))
    };
    let done = tokio::time::timeout(WAIT_MAX, read).await.unwrap_or(Err(CheckError::TooSlow));
    if matches!(done, Err(CheckError::TooSlow | CheckError::TooLarge))
        && let Some(group) = group
    {
        // The group includes the processes that git has started.
        let _ = kill_process_group(group, Signal::KILL);
    }
    done
}

/// Reads at most `max` bytes, and one more if there are more.
async fn read(pipe: Option<impl tokio::io::AsyncRead + Unpin>, max: u64) -> String {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        // On an error, what was read before is used.
        let _ = pipe.take(max + 1).read_to_end(&mut bytes).await;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The error message, without addresses: they may contain a password.
fn first_line(errors: &str) -> String {
    let line = errors.lines().find(|line| line.starts_with("fatal:")).unwrap_or_default();
    let words = line.split_whitespace().map(|word| if word.contains("://") { "…" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_plain_version_wins() {
        let listed = "a\trefs/tags/v1.9.0\nb\trefs/tags/v1.10.0\nc\trefs/tags/v1\nd\trefs/tags/v2.0.0-rc1\n\
                      e\trefs/tags/--upload-pack=x\nf\trefs/tags/1.10.0+b\nnonsense\n";
        assert_eq!(highest(listed).unwrap().version().to_string(), "1.10.0");
        assert_eq!(highest("a\trefs/tags/v1\n"), None);
        assert_eq!(highest(""), None);
    }

    #[test]
    fn a_known_forge_has_a_release_page() {
        let tag: Tag = "v1.2.3".parse().unwrap();
        for (origin, url) in [
            ("https://github.com/a/b.git", Some("https://github.com/a/b/releases/tag/v1.2.3")),
            ("https://user:word@github.com/a/b", Some("https://github.com/a/b/releases/tag/v1.2.3")),
            ("git@codeberg.org:a/b.git", Some("https://codeberg.org/a/b/releases/tag/v1.2.3")),
            ("ssh://git@gitlab.com/a/b/c", Some("https://gitlab.com/a/b/c/-/releases/v1.2.3")),
            ("https://example.org/github.com/a", None),
            ("/srv/farthing.git", None),
            ("file:///srv/farthing.git", None),
            ("--upload-pack=x", None),
            ("", None),
        ] {
            assert_eq!(release_page(origin, &tag).as_deref(), url, "{origin}");
        }
    }

    #[test]
    fn addresses_are_not_logged() {
        let errors = "warning: x\nfatal: unable to access 'https://u:word@h/': refused\n";
        assert_eq!(first_line(errors), "fatal: unable to access … refused");
    }
}
