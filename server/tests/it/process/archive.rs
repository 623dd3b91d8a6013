//! Complete updates of the binary from an archive, in an installation as a package makes it, and the return.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::crash::{AcceptedBid, check, start_bidding};
use super::family;
use super::site::{DECIDED_MAX, NEXT, Site, THIS, UPDATE_MAX, next_binary};
use crate::harness::Installation;
use crate::harness::releases::{Release, ReleaseServer, SigningKey};

/// The folder of the release that a package has installed.
fn first(installation: &Path) -> PathBuf {
    installation.join(format!("releases/v{THIS}"))
}

/// A site whose releases are archives: the first one runs, and the next one is published.
async fn site(configured: &str) -> (Site, ReleaseServer) {
    let (key, server) = (SigningKey::new(), ReleaseServer::start().await);
    let installation = Installation::of_archives(&key);
    installation.take_archives(&key, &format!("{configured}[health]\nobserve_seconds = 1\n"));
    let folder = installation.path();
    std::fs::write(folder.join("farthing.toml"), format!("releases-url = \"{}\"\n", server.api())).unwrap();
    std::fs::create_dir_all(first(&folder)).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_farthing"), first(&folder).join("farthing")).unwrap();
    symlink(format!("releases/v{THIS}"), folder.join("current")).unwrap();
    let binary = std::fs::read(next_binary(&folder)).unwrap();
    server.publish(&Release::new(NEXT, &binary, &key));
    let site = Site::open(installation).await;
    site.claim().await;
    (site, server)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_update_by_archive_and_the_return_lose_no_bid() {
    let (site, _server) = site("").await;
    let folder = site.folder();
    let supervisor = site.process.supervisor_binary();
    assert!(supervisor.starts_with(first(&folder).canonicalize().unwrap()), "{}", supervisor.display());
    let (next, counted) = (Arc::new(AtomicU64::new(1)), Arc::default());
    let mut bidding = start_bidding(&site.process.url, &site.sale, &next, 20, &counted);
    counted.notified().await;
    site.begin().await;
    let run = site.ended(UPDATE_MAX).await;
    assert_eq!(run["status"], "SUCCEEDED", "{run:#}");
    assert_eq!(site.version().await, NEXT);
    assert_eq!(site.installation.current().unwrap(), format!("releases/v{NEXT}"));
    let runs = std::fs::read_link(format!("/proc/{}/exe", site.process.server())).unwrap();
    assert_eq!(runs, folder.join(format!("releases/v{NEXT}/farthing")).canonicalize().unwrap());

    let done = site.farthing(&["rollback"]).await;
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.ends_with(&format!("health: done\nreturned to {THIS}\n")), "{said}");
    assert_eq!(site.version().await, THIS);
    assert_eq!(site.installation.current().unwrap(), format!("releases/v{THIS}"));

    let reached = next.load(Ordering::SeqCst) + 100;
    while next.load(Ordering::SeqCst) < reached {
        assert!(bidding.try_join_next().is_none(), "a bid was broken off");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    family::signal(site.process.server(), "KILL");
    let told: Vec<AcceptedBid> = bidding.join_all().await.into_iter().flatten().collect();
    check(&site.process.url, &site.sale, &told).await;
    assert_eq!(site.version().await, THIS, "it is what starts from now on");
}

/// After a kill of server and supervisor, the next start decides the run as it does for one from git.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_start_decides_a_killed_run() {
    for (step, status, version) in [("rehearse", "ROLLED_BACK", THIS), ("restart", "SUCCEEDED", NEXT)] {
        let hook =
            format!("[[hooks]]\nbefore = \"{step}\"\nname = \"wait\"\ncommand = [\"sleep\", \"10\"]\n");
        let (mut site, _server) = site(&hook).await;
        site.bids(5).await;
        site.begin().await;
        site.reached("wait").await;
        site.start_again().await;
        let run = site.ended(DECIDED_MAX).await;
        site.bids(6).await;
        site.check().await;
        assert_eq!(
            (run["status"].as_str(), site.version().await.as_str()),
            (Some(status), Some(version)),
            "{run:#}"
        );
        let kept = if version == THIS {
            vec![format!("v{THIS}")]
        } else {
            vec![format!("v{THIS}"), format!("v{NEXT}")]
        };
        assert_eq!(site.installation.releases(), kept);
        assert_eq!(site.installation.current().unwrap(), format!("releases/v{version}"));
    }
}
