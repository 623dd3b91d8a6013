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
    assert_eq!(latest(&Source::Git(folder.path().to_owned())).await, Err(CheckError::Git));
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
        assert_eq!(latest(&Source::Git(checkout.clone())).await, Err(CheckError::Git));
        assert!(!ran.exists(), "{origin}");
    }
}
