//! Releases whose tags have to be signed.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Site, step};
use crate::harness::{Installation, git};

/// A new SSH key in `folder`.
fn new_key(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let mut command = Command::new("ssh-keygen");
    command.args(["-q", "-t", "ed25519", "-N", "", "-C", "ada@example.org", "-f"]).arg(&path);
    assert!(command.status().unwrap().success());
    path
}

#[tokio::test]
async fn a_tag_without_the_signature_of_a_known_key_is_not_built() {
    let folder = tempfile::tempdir().unwrap();
    let [known, other] = ["known", "other"].map(|name| new_key(folder.path(), name));
    let public = std::fs::read_to_string(known.with_extension("pub")).unwrap();
    let signers = folder.path().join("signers");
    std::fs::write(&signers, format!("ada@example.org {public}")).unwrap();
    let installation = Installation::new();
    installation.configure(&format!("[verify]\nallowed_signers = \"{}\"\n", signers.display()));
    installation.release("v0.2.0");
    let site = Site::open(installation).await;
    let refused = async || {
        let run = site.update().await;
        assert_eq!(run["status"], "ROLLED_BACK", "{run:#}");
        let fetch = step(&run, "fetch");
        assert_eq!(fetch["status"], "FAILED", "{run:#}");
        assert!(fetch["reason"].as_str().unwrap().contains("is not signed by a key of"), "{run:#}");
        assert!(site.installation.releases().is_empty(), "{run:#}");
        site.app.clock.advance_seconds(60);
    };
    refused().await;
    site.installation.signed_tag("v0.3.0", &other);
    refused().await;
    site.installation.signed_tag("v0.4.0", &known);
    // The signed tag of an older release under the name of a newer one.
    let origin = site.installation.path().join("../origin.git");
    git(&origin, &["update-ref", "refs/tags/v0.5.0", "refs/tags/v0.4.0"]);
    refused().await;
    git(&origin, &["update-ref", "-d", "refs/tags/v0.5.0"]);
    let run = site.update().await;
    assert_eq!(
        (run["status"].as_str(), run["toVersion"].as_str()),
        (Some("SUCCEEDED"), Some("0.4.0")),
        "{run:#}"
    );
}
