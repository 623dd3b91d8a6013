//! Updates from archives, which are not built here.

mod lies;
mod page;

use std::os::unix::fs::PermissionsExt;

use installation::config::Releases;
use serde_json::{Value, json};

use super::{Site, step};
use crate::harness::releases::{Release, ReleaseServer, SigningKey, archive};
use crate::harness::{Installation, QUICKLY};

/// The version of the release.
const NEXT: &str = "0.2.0";

/// A binary of another release that is this one.
fn binary() -> Vec<u8> {
    format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_farthing")).into_bytes()
}

async fn open(installation: Installation, server: &ReleaseServer) -> Site {
    let api = server.api();
    Site::open_with(installation, |settings| settings.releases_url = Releases::Api(api)).await
}

/// Changes what the release API answers.
fn announce(server: &ReleaseServer, change: impl FnOnce(&mut Value)) {
    let mut announced = server.announced();
    change(&mut announced);
    server.announce(&announced);
}

/// The folder in the archive.
fn root() -> String {
    archive(NEXT).trim_end_matches(".tar.zst").to_owned()
}

#[track_caller]
fn statuses(run: &Value, names: &[&str]) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    names.iter().map(|name| (text(&step(run, name)["status"]), text(&step(run, name)["reason"]))).collect()
}

#[tokio::test]
async fn an_archive_is_installed_without_building() {
    let (key, server) = (SigningKey::new(), ReleaseServer::start().await);
    let site = open(Installation::of_archives(&key), &server).await;
    let before = site.ledger().await;
    for (version, left) in
        [("0.2.0", vec!["v0.2.0"]), ("0.3.0", vec!["v0.2.0", "v0.3.0"]), ("0.4.0", vec!["v0.3.0", "v0.4.0"])]
    {
        server.publish(&Release::new(version, &binary(), &key));
        site.app.clock.advance_seconds(60);
        let run = site.update().await;
        assert_eq!((&run["status"], &run["toVersion"]), (&json!("SUCCEEDED"), &json!(version)), "{run:#}");
        let skipped = ("SKIPPED".to_owned(), "prebuilt".to_owned());
        assert_eq!(
            statuses(&run, &["dependencies", "data_layer", "build"]),
            vec![skipped; 3],
            "also where `update.toml` has a command"
        );
        assert_eq!(site.installation.releases(), left);
        assert_eq!(site.installation.current(), Some(format!("releases/v{version}")));
    }
    let release = site.installation.path().join("current");
    assert_eq!(std::fs::read(release.join("farthing")).unwrap(), binary());
    let mode = release.join("farthing").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
    assert!(release.join("docs/operate/updating.md").is_file());
    assert_eq!(site.ledger().await, before);
    site.bid(6).await;
    // What runs is still the first release.
    assert_eq!(site.update().await["status"], "NOTHING_TO_DO");
}

/// An installation changes the kind of its source. Releases of both kinds are kept and removed alike.
#[tokio::test]
async fn an_installation_changes_between_git_and_archives() {
    let (key, server) = (SigningKey::new(), ReleaseServer::start().await);
    let installation = Installation::new();
    installation.release("v0.2.0");
    let site = open(installation, &server).await;
    let update = async |version: &str, of_git: bool| {
        server.publish(&Release::new(version, &binary(), &key));
        match of_git {
            true => site.installation.release(&format!("v{version}")),
            false => site.installation.take_archives(&key, QUICKLY),
        }
        site.app.clock.advance_seconds(60);
        let run = site.update().await;
        assert_eq!(run["status"], "SUCCEEDED", "{run:#}");
        // A unit starts the binary of either at this path.
        assert!(site.installation.path().join("current/farthing").is_file());
    };
    update("0.2.0", true).await;
    update("0.3.0", false).await;
    assert_eq!(site.installation.releases(), ["v0.2.0", "v0.3.0"]);
    update("0.4.0", false).await;
    assert_eq!(site.installation.releases(), ["v0.3.0", "v0.4.0"]);
    site.installation.configure("");
    update("0.5.0", true).await;
    update("0.6.0", true).await;
    assert_eq!(site.installation.releases(), ["v0.5.0", "v0.6.0"]);
    site.installation.take_archives(&key, QUICKLY);
    update("0.7.0", false).await;
    assert_eq!(site.installation.releases(), ["v0.6.0", "v0.7.0"]);
}

/// A release server that names an older release, or the running one again, changes nothing.
#[tokio::test]
async fn an_older_release_is_nothing_to_do() {
    let (key, server) = (SigningKey::new(), ReleaseServer::start().await);
    let site = open(Installation::of_archives(&key), &server).await;
    for version in ["0.0.9", env!("CARGO_PKG_VERSION")] {
        server.publish(&Release::new(version, &binary(), &key));
        site.app.clock.advance_seconds(60);
        assert_eq!(site.update().await["status"], "NOTHING_TO_DO", "{version}");
    }
    assert_eq!(site.installation.releases(), Vec::<String>::new());
}

#[tokio::test]
async fn what_an_archive_needs_is_reported_before_the_first_step() {
    let (key, server) = (SigningKey::new(), ReleaseServer::start().await);
    server.publish(&Release::new(NEXT, &binary(), &key));
    let site = open(Installation::of_archives(&key), &server).await;
    let failed = async |words: &str| {
        site.app.clock.advance_seconds(60);
        let run = site.update().await;
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.starts_with("`determine` failed: ") && reason.contains(words), "{reason}");
    };
    std::fs::write(site.installation.path().join("release-keys.pub"), "").unwrap();
    failed("it has no public key").await;
    std::fs::remove_file(site.installation.path().join("release-keys.pub")).unwrap();
    failed("can't read the keys `release-keys.pub`").await;
    site.installation.configure("[source]\nkind = \"archive\"\n");
    failed("needs `verify.allowed_signers`").await;
    let site = Site::open(Installation::of_archives(&key)).await;
    let run = site.update().await;
    assert!(run["reason"].as_str().unwrap().contains("`releases-url`"), "{run:#}");
}

/// An earlier process has died while it fetched: what it has left is replaced, and removed by a rollback.
#[tokio::test]
async fn what_a_crash_has_left_is_replaced() {
    let (key, server) = (SigningKey::new(), ReleaseServer::start().await);
    let site = open(Installation::of_archives(&key), &server).await;
    let left = site.installation.path().join("releases/.v0.2.0.partial").join(root());
    let leave = || {
        std::fs::create_dir_all(&left).unwrap();
        std::fs::write(left.join("farthing"), "half").unwrap();
    };
    leave();
    server.publish(&Release::new(NEXT, &binary(), &SigningKey::new()));
    assert_eq!(site.update().await["status"], "ROLLED_BACK");
    assert_eq!(site.installation.releases(), Vec::<String>::new());
    leave();
    server.publish(&Release::new(NEXT, &binary(), &key));
    site.app.clock.advance_seconds(60);
    assert_eq!(site.update().await["status"], "SUCCEEDED");
    assert_eq!(site.installation.releases(), ["v0.2.0"]);
}
