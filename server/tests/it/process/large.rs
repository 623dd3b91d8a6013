//! An update of an installation with a large SQLite database.

use std::path::Path;
use std::time::{Duration, Instant};

use super::crash::{Answer, bid};
use super::site::{DECIDED_MAX, NEXT, Site, THIS, next_version};
use super::{Process, command};

/// Size of the database in megabytes, unless the variable sets another one.
const MEGABYTES: u64 = 5 * 1024;
const MEGABYTES_VARIABLE: &str = "FARTHING_LARGE_DATABASE_MB";
/// Copies and checks of the database while the site serves.
const RUN_MAX: Duration = Duration::from_secs(30 * 60);
/// The longest pause: the default timeout of `health`, and ten seconds (SPEC, section 8).
const PAUSE_MAX: Duration = Duration::from_secs(60 + 10);

/// The ledger of another item, which has no other rows: bids have no foreign keys.
const FILL: &str = "
    WITH RECURSIVE more (n) AS (SELECT $1 + 1 UNION ALL SELECT n + 1 FROM more WHERE n < $1 + $2)
    INSERT INTO bids (auction_id, position, item_id, sequence, id, bidder_id, amount, normalized_amount,
                      is_anonymous, created_at)
    SELECT CAST(printf('%016d', n / 1000) AS BLOB), n, randomblob(16), n, randomblob(16), randomblob(16), n, n,
           FALSE, n
    FROM more";
const ROWS_PER_TRANSACTION: i64 = 500_000;

#[expect(clippy::disallowed_methods, reason = "a variable of the tests, not a setting of the server")]
fn megabytes() -> u64 {
    let chosen = std::env::var(MEGABYTES_VARIABLE).ok();
    chosen.map_or(MEGABYTES, |text| text.parse().expect("a number of megabytes"))
}

fn fill(database: &Path) {
    let connection = rusqlite::Connection::open(database).unwrap();
    connection.execute_batch("PRAGMA synchronous = OFF").unwrap();
    let mut rows = 0;
    while std::fs::metadata(database).unwrap().len() < megabytes() << 20 {
        connection.execute(FILL, [rows, ROWS_PER_TRANSACTION]).unwrap();
        rows += ROWS_PER_TRANSACTION;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    }
}

/// After a kill in the pause the site takes bids again within 30 s, and the pause of an update has its bound,
/// whatever the size of the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "fills a database of 5 GB: `cargo xtask test --all` runs it"]
#[expect(clippy::print_stderr, reason = "the measured times are for docs/reference")]
async fn a_large_database_is_updated_and_recovered_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let hook = "[[hooks]]\nafter = \"schema\"\nname = \"wait\"\n\
                command = [\"sh\", \"-c\", \"test ! -e hold || sleep 600\"]\n";
    let mut site = Site::with_release(&next_version(folder.path()), hook).await;
    site.bids(5).await;
    site.process.signal("TERM");
    site.process.ends_within(Duration::from_secs(20)).await;
    let database = site.folder().join("farthing.db");
    let begun = Instant::now();
    fill(&database);
    let bytes = std::fs::metadata(&database).unwrap().len();
    eprintln!("{} MB, filled in {:.1?}", bytes >> 20, begun.elapsed());
    site.process = Process::run(command(&site.database_url, &site.folder(), "127.0.0.1:0")).await;

    let hold = site.folder().join("hold");
    std::fs::write(&hold, "").unwrap();
    let begun = Instant::now();
    site.begin().await;
    site.run(RUN_MAX, |run| {
        let steps = run["steps"].as_array().unwrap();
        steps.iter().any(|step| step["name"] == "wait" && step["status"] == "RUNNING")
    })
    .await;
    eprintln!("killed in the pause {:.1?} after the start of the update", begun.elapsed());
    std::fs::remove_file(hold).unwrap();
    let begun = Instant::now();
    site.start_again().await;
    let run = site.ended(DECIDED_MAX).await;
    site.bids(6).await;
    let recovered = begun.elapsed();
    eprintln!("recovered in {recovered:.1?}");
    assert!(recovered < DECIDED_MAX, "{recovered:?}");
    assert_eq!((&run["status"], site.version().await), (&"ROLLED_BACK".into(), THIS.into()), "{run:#}");
    remove_replaced(&site.folder());

    site.begin().await;
    let (begun, mut accepted, mut pause, mut amount) = (Instant::now(), Instant::now(), Duration::ZERO, 7);
    let run = loop {
        match bid(&site.sale, &site.process.url, 0, 0, amount).await.unwrap() {
            Answer::Accepted(told) => {
                site.told.push(told);
                (pause, accepted, amount) = (pause.max(accepted.elapsed()), Instant::now(), amount + 1);
            }
            Answer::Later => {}
            other => panic!("{other:?}"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        let run = site.run(RUN_MAX, |_| true).await;
        if run["status"] != "RUNNING" {
            break run;
        }
    };
    eprintln!("updated in {:.1?}, of which writes paused for {pause:.1?}", begun.elapsed());
    for step in run["steps"].as_array().unwrap() {
        eprintln!("  {}: {} to {}", step["name"], step["startedAt"], step["finishedAt"]);
    }
    assert_eq!((&run["status"], site.version().await), (&"SUCCEEDED".into(), NEXT.into()), "{run:#}");
    assert!(pause < PAUSE_MAX, "{pause:?}");
    site.bids(amount).await;
    site.check().await;
}

/// Makes room on the disk.
fn remove_replaced(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().contains(".rolled_back") {
            std::fs::remove_file(path).unwrap();
        }
    }
}
