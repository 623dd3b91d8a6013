use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::crash::{check, everybody_bids, open_sale};
use super::{Process, family};
use crate::harness::{database, http, times};

/// Bids answered between two restarts.
const ANSWERED: usize = 60;
/// Before the last of which the new server has begun to answer.
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// Asks on a new connection each time until it is told to stop, and gives the longest that one took. Each must be
/// answered.
fn newcomers(url: &str, enough: &Arc<AtomicBool>) -> JoinHandle<Duration> {
    let (url, enough) = (format!("{url}/readyz"), Arc::clone(enough));
    tokio::spawn(async move {
        let client = http().pool_max_idle_per_host(0).build().unwrap();
        let mut longest = Duration::ZERO;
        while !enough.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let answer = client.get(&url).send().await.expect("nobody is refused");
            assert_eq!(answer.status(), 200);
            longest = longest.max(begun.elapsed());
        }
        longest
    })
}

/// Restarted while everybody bids and others come, the server refuses no connection, breaks off no request, and has
/// every bid that it answered. The supervisor keeps nothing open for a server that is gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_refuses_nobody_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut process = Process::start(&database_url, folder.path()).await;
    let sale = Arc::new(open_sale(&process.url).await);
    let held = family::descriptors(process.child.id());
    let enough = Arc::default();
    let newcomers: Vec<_> = (0..4).map(|_| newcomers(&process.url, &enough)).collect();
    let (next, counted) = (Arc::new(AtomicU64::new(1)), Arc::default());
    // Until the very end, when the server leaves.
    let mut bidding = everybody_bids(&process.url, &sale, &next, ANSWERED, &counted);
    counted.notified().await;
    for _ in 0..times(3, 20) {
        let old = process.server();
        process.signal("USR1");
        process.says("serving again after").await;
        assert!(!family::lives(old));
        // Some bids by the new one.
        let reached = next.load(Ordering::SeqCst) + 100;
        while next.load(Ordering::SeqCst) < reached {
            assert!(bidding.try_join_next().is_none(), "a bid was broken off");
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
