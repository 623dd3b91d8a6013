use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::crash::{check, open_sale, start_bidding};
use super::{Process, family};
use crate::harness::{database, http, times};

/// Number of accepted bids between two restarts.
const ANSWERED: usize = 60;
/// Longest time that a request may take during a restart.
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// Sends requests, each on a new connection, until it is stopped, and returns the longest response time. Each
/// must be answered.
fn newcomers(url: &str, enough: &Arc<AtomicBool>) -> JoinHandle<Duration> {
    let (url, enough) = (format!("{url}/readyz"), Arc::clone(enough));
    tokio::spawn(async move {
        let client = http().pool_max_idle_per_host(0).build().unwrap();
        let mut longest = Duration::ZERO;
        while !enough.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let answer = client.get(&url).send().await.expect("no connection is refused");
            assert_eq!(answer.status(), 200);
            longest = longest.max(begun.elapsed());
        }
        longest
    })
}

/// A restart while bids and other requests arrive refuses no connection, aborts no request and loses no
/// accepted bid. The supervisor keeps no descriptor of a server that has ended.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_refuses_no_connection_and_loses_no_bid() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut process = Process::start(&database_url, folder.path()).await;
    let sale = Arc::new(open_sale(&process.url).await);
    let held = family::descriptors(process.child.id());
    let enough = Arc::default();
    let newcomers: Vec<_> = (0..4).map(|_| newcomers(&process.url, &enough)).collect();
    let (next, counted) = (Arc::new(AtomicU64::new(1)), Arc::default());
    // Until the server ends.
    let mut bidding = start_bidding(&process.url, &sale, &next, ANSWERED, &counted);
    counted.notified().await;
    for _ in 0..times(3, 20) {
        let old = process.server();
        process.signal("USR1");
        process.says("serving again after").await;
        assert!(!family::lives(old));
        // Some bids at the new server.
        let reached = next.load(Ordering::SeqCst) + 100;
        while next.load(Ordering::SeqCst) < reached {
            assert!(bidding.try_join_next().is_none(), "a bid was interrupted");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    enough.store(true, Ordering::Relaxed);
    for newcomer in newcomers {
        let longest = newcomer.await.unwrap();
        assert!(longest < PAUSE_MAX, "{longest:?}");
    }
    assert_eq!(family::descriptors(process.child.id()), held);

    process.kill();
    let told: Vec<_> = bidding.join_all().await.into_iter().flatten().collect();
    let process = Process::start(&database_url, folder.path()).await;
    check(&process.url, &sale, &told).await;
}

/// A restart with wrong settings keeps the running server and reports the error.
#[tokio::test]
async fn a_restart_checks_the_settings_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::start(&database::fresh(folder.path()).await, folder.path()).await;
    let file = folder.path().join("farthing.toml");
    let old = process.server();
    for signal in ["USR1", "HUP"] {
        std::fs::write(&file, "publik-url = \"https://bids.example\"\n").unwrap();
        process.signal(signal);
        process.says("`publik-url`").await;
        assert_eq!(process.server(), old);
        assert!(process.is_ready().await);
    }
    std::fs::write(&file, "public-url = \"https://bids.example\"\n").unwrap();
    process.signal("HUP");
    process.says("serving again after").await;
    assert_ne!(process.server(), old);
}

/// A server that no longer reports is killed and started again.
#[tokio::test]
async fn a_server_that_hangs_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::start(&database::fresh(folder.path()).await, folder.path()).await;
    assert!(process.is_ready().await);
    family::signal(process.server(), "STOP");
    process.says_within(Duration::from_secs(60), "has not reported").await;
    process.says("serving again after").await;
    assert!(process.is_ready().await);
}
