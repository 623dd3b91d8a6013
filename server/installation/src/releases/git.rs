//! git as this server runs it, and the tags of the installation's `origin`. git gets a list of arguments, the
//! environment of a command of an update, no transports that run commands, no hooks and no password prompt.

use std::path::Path;
use std::time::Duration;

use super::api::https;
use super::{CheckError, Release, Tag};
use crate::command::{CommandError, Task};
use crate::config::command_environment;
use platform::log_field::logged;

const WAIT_MAX: Duration = Duration::from_secs(20);
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Options before any git command: the allowed transports, and no hooks or monitors that the checkout
/// configures.
const SAFE_OPTIONS: [&str; 14] = [
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
    "-c",
    "advice.detachedHead=false",
];

/// git in a checkout.
pub fn git(folder: &Path, arguments: &[&str]) -> Task {
    let own = [("GIT_TERMINAL_PROMPT", "0"), ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"), ("LC_ALL", "C")];
    Task::new("git", folder)
        .environment(command_environment())
        .environment(own.map(|(name, value)| (name.into(), value.into())))
        .arguments(SAFE_OPTIONS)
        .arguments(arguments)
}

/// Whether the folder is a git checkout, as far as its contents show.
pub fn is_checkout(folder: &Path) -> bool {
    folder.join(".git").exists()
}

pub(super) async fn latest(folder: &Path) -> Result<Release, CheckError> {
    if !is_checkout(folder) {
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
    Ok(Release { url: release_page(origin.trim(), &tag), tag, notes: None, files: Vec::new() })
}

/// git ignores the configuration of a checkout that another user owns. So it only says that there is no
/// `origin`; another command names the cause.
async fn explain(folder: &Path, said: String) -> String {
    match run(folder, &["rev-parse", "--git-dir"]).await {
        Err(CheckError::Git(cause)) => cause,
        _ => said,
    }
}

/// What git said of the checkout in `folder`, in one line without addresses, and a remedy if it refuses the
/// owner.
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
    let mut output = Vec::new();
    let done = git(folder, arguments).output_max(ANSWER_BYTES_MAX).run(WAIT_MAX, &mut output).await;
    let output = String::from_utf8_lossy(&output).into_owned();
    done.map(|()| output.clone()).map_err(|error| match error {
        CommandError::Failed { .. } => CheckError::Git(words_of_git(&output, folder)),
        CommandError::TooLong { .. } => CheckError::TooSlow,
        CommandError::TooMuch { .. } => CheckError::TooLarge,
        CommandError::Start { .. } => {
            tracing::warn!(error = logged(&error), "git can't be started");
            CheckError::NoGit
        }
    })
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

    /// cargo gives every test variables of its own.
    #[tokio::test]
    async fn git_inherits_no_other_variables_than_commands_of_an_update() {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet"]).run(WAIT_MAX, &mut Vec::new()).await.unwrap();
        // Run by git to list the tags of an origin on this machine.
        let (origin, seen) = (folder.path().to_str().unwrap(), folder.path().join("seen"));
        let program = format!("env > {}; git-upload-pack", seen.display());
        for (key, value) in [("remote.origin.url", origin), ("remote.origin.uploadpack", &program)] {
            run(folder.path(), &["config", key, value]).await.unwrap();
        }
        assert_eq!(latest(folder.path()).await, Err(CheckError::NoRelease));
        let seen = std::fs::read_to_string(seen).unwrap();
        assert!(seen.contains("PATH=") && seen.contains("GIT_TERMINAL_PROMPT=0"), "{seen}");
        assert!(!seen.lines().any(|line| line.starts_with("CARGO=")), "{seen}");
    }

    #[test]
    fn addresses_are_not_logged() {
        let errors = "warning: x\nfatal: unable to access 'https://u:word@h/': refused\n";
        assert_eq!(first_line(errors), "fatal: unable to access … refused");
    }
}
