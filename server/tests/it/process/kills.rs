//! Kills of the server, of its supervisor and of both: at the late stages of a run, and at any moment, while
//! bids are placed. No accepted bid is lost, and the site is wholly of one release or of the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;

use super::crash::{AcceptedBid, Answer, bid, check};
use super::site::{DECIDED_MAX, NEXT, Site, THIS, UPDATE_MAX, next_version};
use super::{Process, family};
use crate::harness::times;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Server,
    /// The server is killed with it.
    Supervisor,
    Both,
}

impl Victim {
    const ALL: [Self; 3] = [Self::Server, Self::Supervisor, Self::Both];

    /// Kills with `kill -9`, and starts the site again if no supervisor does.
    async fn dies(self, site: &mut Site) {
        if self != Self::Supervisor {
            // While one server is replaced by the next, there is none.
            for pid in family::children(site.process.child.id()) {
                family::try_signal(pid, "KILL");
            }
        }
        if self != Self::Server {
            site.start_again().await;
        }
    }
}

/// Bids of several bidders, also across kills.
struct Bidding {
    stops: Arc<AtomicBool>,
    tasks: JoinSet<Vec<AcceptedBid>>,
}

impl Bidding {
    const BIDDERS: usize = 4;

    fn begin(site: &Site, next: &Arc<AtomicU64>) -> Self {
        let stops = Arc::new(AtomicBool::new(false));
        let mut tasks = JoinSet::new();
        for bidder in 0..Self::BIDDERS {
            let (sale, url) = (Arc::clone(&site.sale), site.process.url.clone());
            let (stops, next) = (Arc::clone(&stops), Arc::clone(next));
            tasks.spawn(async move {
                let mut told = Vec::new();
                while !stops.load(Ordering::SeqCst) {
                    let amount = next.fetch_add(1, Ordering::SeqCst);
                    match bid(&sale, &url, bidder, 0, amount).await {
                        Ok(Answer::Accepted(bid)) => told.push(bid),
                        Ok(Answer::TooLow) => {}
                        // Without an answer the bid may be placed or not.
                        _ => tokio::time::sleep(Duration::from_millis(20)).await,
                    }
                }
                told
            });
        }
        Self { stops, tasks }
    }

    /// The accepted bids.
    async fn end(self) -> Vec<AcceptedBid> {
        self.stops.store(true, Ordering::SeqCst);
        self.tasks.join_all().await.into_iter().flatten().collect()
    }
}

/// Checks that the site is wholly of one release and says why it is not of the other, and that it has every
/// accepted bid.
async fn is_whole(site: &mut Site, run: &Value, next: &AtomicU64) {
    let (version, current) = (site.version().await, site.installation.current());
    let found = (run["status"].as_str().unwrap(), version.as_str().unwrap(), current.as_deref());
    let release = format!("releases/v{NEXT}");
    let is_whole = match found.0 {
        "SUCCEEDED" => found == ("SUCCEEDED", NEXT, Some(release.as_str())),
        "ROLLED_BACK" => found == ("ROLLED_BACK", THIS, None) && run["reason"].is_string(),
        _ => false,
    };
    assert!(is_whole, "{found:?}: {run:#}");
    site.bids(next.fetch_add(1000, Ordering::SeqCst) + 999).await;
    site.check().await;
}

/// While the new release is observed, and in a hook after the end, writes are open: bids of that time stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_killed_after_writes_were_opened_keeps_all_bids() {
    let folder = tempfile::tempdir().unwrap();
    let binary = next_version(folder.path());
    let observed = ("[health]\nobserve_seconds = 60\n", "health");
    let hook = ("[[hooks]]\nafter = \"health\"\nname = \"late\"\ncommand = [\"sleep\", \"60\"]\n", "late");
    let every = usize::try_from(times(2, 1)).unwrap();
    let cases = [observed, hook].into_iter().flat_map(|stage| Victim::ALL.map(|victim| (stage, victim)));
    for ((configured, reached), victim) in cases.step_by(every) {
        let mut site = Site::with_release(&binary, configured).await;
        let next = Arc::new(AtomicU64::new(1));
        let bidding = Bidding::begin(&site, &next);
        site.begin().await;
        let is_reached = |run: &Value| {
            let steps = run["steps"].as_array().unwrap();
            let step = steps.iter().find(|step| step["name"] == reached).unwrap();
            let is_open = reached != "health" || step["output"].as_str().unwrap().contains("writes are open");
            step["status"] == "RUNNING" && is_open
        };
        site.run(UPDATE_MAX, is_reached).await;
        victim.dies(&mut site).await;
        let run = site.ended(DECIDED_MAX).await;
        site.told.extend(bidding.end().await);
        is_whole(&mut site, &run, &next).await;
        let reason = run["reason"].as_str().unwrap_or_default();
        let (status, words) = match (reached, victim) {
            ("late", _) => ("SUCCEEDED", "`late` failed after the update: the update was interrupted"),
            (_, Victim::Server) => ("ROLLED_BACK", "the new version ended"),
            _ => ("SUCCEEDED", ""),
        };
        assert!(run["status"] == status && reason.contains(words), "{victim:?}: {run:#}");
    }
}

/// Updates that succeed, whose release does not answer, and whose last step before the restart fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "what came of each round, for the reader of a failure")]
async fn a_run_that_is_killed_at_any_moment_loses_no_bid() {
    let folder = tempfile::tempdir().unwrap();
    let next_release = next_version(folder.path());
    let hangs = format!(
        "#!/bin/sh\ncase \"$1\" in migrate) {};; *) exec sleep 60;; esac\n",
        next_release.lines().last().unwrap()
    );
    let late = "[[hooks]]\nafter = \"health\"\nname = \"late\"\ncommand = [\"sleep\", \"0.5\"]\n";
    let fails = "[[hooks]]\nafter = \"switch\"\nname = \"fails\"\ncommand = [\"false\"]\n";
    let skips = "rehearse = [\"true\"]\n[health]\ntimeout_seconds = 2\n";
    let scenarios = [(next_release.as_str(), late), (hangs.as_str(), skips), (next_release.as_str(), fails)];
    // The same moments in each run of the test.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..times(3, 45) {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (which, moment) = (usize::try_from(round).unwrap(), Duration::from_millis((random >> 33) % 7000));
        let ((binary, configured), victim) = (scenarios[which % 3], Victim::ALL[(which + which / 3) % 3]);
        let mut site = Site::with_release(binary, configured).await;
        let next = Arc::new(AtomicU64::new(1));
        let bidding = Bidding::begin(&site, &next);
        site.begin().await;
        let begun = Instant::now();
        tokio::time::sleep(moment).await;
        victim.dies(&mut site).await;
        let killed = Instant::now();
        let run = site.ended(UPDATE_MAX).await;
        let took = killed.elapsed();
        site.told.extend(bidding.end().await);
        let case = format!("round {round}, scenario {}, {victim:?} after {moment:?}", which % 3);
        assert!(took < DECIDED_MAX, "{case}: decided after {took:?}");
        eprintln!(
            "{case}: {} {} after {:?}, {} bids",
            run["status"],
            run["reason"],
            begun.elapsed(),
            site.told.len()
        );
        is_whole(&mut site, &run, &next).await;
    }
}

/// One of two servers on a PostgreSQL dies while its new release has to answer: the other one takes bids
/// again when the pause has reached its longest time, and the next start of the first one ends the run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_other_server_takes_bids_again_after_one_has_died_in_health() {
    const TIMEOUT: u64 = 5;
    let folder = tempfile::tempdir().unwrap();
    let hook = "[[hooks]]\nbefore = \"health\"\nname = \"wait\"\n\
                command = [\"sh\", \"-c\", \"test ! -e hold || sleep 60\"]\n";
    let configured = format!("{hook}[health]\ntimeout_seconds = {TIMEOUT}\n");
    let mut site = Site::with_release(&next_version(folder.path()), &configured).await;
    if site.database_url.starts_with("sqlite:") {
        // A SQLite file has one server.
        return;
    }
    let other = Process::start(&site.database_url, folder.path()).await;
    site.bids(5).await;
    let hold = site.folder().join("hold");
    std::fs::write(&hold, "").unwrap();
    site.begin().await;
    site.reached("wait").await;
    assert!(matches!(bid(&site.sale, &other.url, 0, 0, 6).await, Ok(Answer::Later)));
    site.process.kill();
    let killed = Instant::now();
    let told = loop {
        match bid(&site.sale, &other.url, 0, 0, 6).await.unwrap() {
            Answer::Accepted(told) => break told,
            Answer::Later => tokio::time::sleep(Duration::from_millis(50)).await,
            other => panic!("{other:?}"),
        }
    };
    let pause = killed.elapsed();
    assert!(pause < Duration::from_secs(TIMEOUT + 10), "{pause:?}");
    site.told.push(told);
    std::fs::remove_file(hold).unwrap();
    site.start_again().await;
    let run = site.ended(DECIDED_MAX).await;
    is_whole(&mut site, &run, &AtomicU64::new(7)).await;
    check(&other.url, &site.sale, &site.told).await;
}
