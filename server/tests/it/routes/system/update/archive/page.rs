//! What the Deployment Admin reads.

use serde_json::json;

use super::{NEXT, announce, binary, open};
use crate::harness::releases::{Release, ReleaseServer, SigningKey};
use crate::harness::{Installation, QUICKLY};
use crate::routes::system::update::{PATH, Site, hook};

/// What the Deployment Admin reads before an update.
#[tokio::test]
async fn the_page_says_what_an_update_needs_and_what_the_release_says() {
    let (key, server) = (SigningKey::new(), ReleaseServer::start().await);
    server.publish(&Release::new(NEXT, &binary(), &key));
    announce(&server, |release| {
        release["body"] = json!("## News\n\n* Bids are *faster*.\n\n<script>x</script>");
        release["assets"][2]["size"] = json!(19_000_000);
    });
    let installation = Installation::of_archives(&key);
    let wait = hook("before = \"fetch\"", "wait", "until [ -e go ]; do sleep 0.02; done");
    installation.take_archives(&key, &format!("{QUICKLY}{wait}"));
    let site = open(installation, &server).await;
    let page = async || site.admin.get("/admin?subject=update").await.text;
    site.admin.post_form("/admin/look-up", &[]).await;
    let text = page().await;
    for words in ["needs no compiler: a download of 19 MB", "checks its signature"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let version = site.admin.get("/admin?subject=version").await.text;
    for words in ["<em>faster</em>", "&lt;script&gt;"] {
        assert!(version.contains(words), "{words}: {version}");
    }
    assert!(!text.contains("The last update took") && !text.contains("can’t update itself"), "{text}");

    server.publish(&Release::new(NEXT, &binary(), &key));
    site.admin.post(PATH, json!({})).await.expect(202);
    site.reached("wait").await;
    site.app.clock.advance_seconds(240);
    site.go_on();
    assert_eq!(site.ended().await["status"], "SUCCEEDED");
    assert!(page().await.contains("The last update took 4 minutes."));

    site.installation.configure("");
    let text = page().await;
    assert!(text.contains("can’t update itself here: it is no git checkout"), "{text}");
    site.installation.configure("[source]\nkind = \"archive\"\n");
    assert!(page().await.contains("needs “verify.allowed_signers”"));
}

#[tokio::test]
async fn the_page_of_a_git_checkout_names_what_compiling_needs() {
    let installation = Installation::new();
    installation.configure_all("");
    let site = Site::open(installation).await;
    let text = site.admin.get("/admin?subject=update").await.text;
    for words in ["2.5 GB of free memory and 4 GB of free disk", "compiles it and tests it"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
