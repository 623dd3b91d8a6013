use std::path::Path;
use std::process::Command;

use installation::config::{Releases, Switch};
use installation::releases::{CheckError, Source, latest};

use super::{check, known};
use crate::harness::TestApp;

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]);
    let done = command.args(arguments).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A bare origin with a commit, and a checkout of it.
fn installation(folder: &Path) -> std::path::PathBuf {
    git(folder, &["init", "--quiet", "--bare", "origin.git"]);
    git(folder, &["clone", "--quiet", "origin.git", "checkout"]);
    let checkout = folder.join("checkout");
    git(&checkout, &["commit", "--quiet", "--allow-empty", "--message", "First"]);
    git(&checkout, &["push", "--quiet", "origin", "HEAD:refs/heads/main"]);
    checkout
}

#[tokio::test]
async fn the_highest_plain_tag_of_the_origin_is_the_latest() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = installation(folder.path());
    let source = Source::Git(checkout.clone());
    assert_eq!(latest(&source).await, Err(CheckError::NoRelease));

    let origin = folder.path().join("origin.git");
    let tags = ["v1", "v99.9.0", "v99.10.0", "v99.99.0-rc1", "nightly", "release/100.0.0", "--upload-pack=x"];
    for tag in tags {
        git(&origin, &["update-ref", &format!("refs/tags/{tag}"), "refs/heads/main"]);
    }
    git(&origin, &["tag", "--annotate", "--message", "x", "99.2.0", "refs/heads/main"]);
    let release = latest(&source).await.unwrap();
    assert_eq!((release.tag.as_str(), release.url), ("v99.10.0", None));
    // Tags that exist only in the checkout are not releases.
    git(&checkout, &["tag", "v100.0.0"]);
    assert_eq!(latest(&source).await.unwrap().tag.as_str(), "v99.10.0");

    let app = TestApp::start_with(|settings| {
        settings.rate_limits = Switch::Off;
        settings.releases_url = Releases::Git;
        settings.install_dir = checkout;
    })
    .await;
    check(&app).await;
    let known = known(&app).await;
    assert_eq!(known["latestVersion"], "99.10.0");
    assert_eq!(known["updateAvailable"], true);
}

#[tokio::test]
async fn a_missing_checkout_or_origin_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(latest(&Source::Git(folder.path().to_owned())).await, Err(CheckError::NoCheckout));
    git(folder.path(), &["init", "--quiet"]);
    let error = latest(&Source::Git(folder.path().to_owned())).await.unwrap_err();
    assert!(matches!(error, CheckError::Git(_)), "{error:?}");
    // Everyone reads the first part; the words of git may name folders.
    assert_eq!(error.to_string(), "git could not list the tags of `origin`");
    assert!(
        error.in_full().contains("'origin' does not appear to be a git repository"),
        "{}",
        error.in_full()
    );
}

/// The checkout was cloned by another user than the one that runs the server.
#[tokio::test]
#[expect(clippy::print_stderr, reason = "the reason for which the test is skipped")]
async fn a_checkout_of_another_user_is_reported_with_the_remedy() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can give a folder to another user");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let checkout = installation(folder.path());
    for path in [checkout.clone(), checkout.join(".git")] {
        std::os::unix::fs::chown(path, Some(4242), Some(4242)).unwrap();
    }
    let app = TestApp::start_with(|settings| {
        settings.releases_url = Releases::Git;
        settings.install_dir = checkout.clone();
    })
    .await;
    let ada = super::admin(&app).await;
    check(&app).await;
    assert_eq!(known(&app).await["checkError"], "git could not list the tags of `origin`");
    let page = ada.get("/admin?subject=version").await.text;
    for words in ["detected dubious ownership", "chown -R USER", checkout.to_str().unwrap()] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

/// git accepts addresses that execute commands.
#[tokio::test]
async fn an_origin_that_is_a_command_is_not_executed() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = installation(folder.path());
    let ran = folder.path().join("ran");
    for origin in [format!("ext::touch {}", ran.display()), format!("--upload-pack=touch {}", ran.display())]
    {
        git(&checkout, &["config", "remote.origin.url", &origin]);
        assert!(matches!(latest(&Source::Git(checkout.clone())).await, Err(CheckError::Git(_))));
        assert!(!ran.exists(), "{origin}");
    }
}
